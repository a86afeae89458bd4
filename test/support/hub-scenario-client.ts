import { createRequire } from 'node:module';
import * as signalr10 from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import * as signalr8 from 'signalr-8';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ownScenarioClient } from './hub-own-client.ts';
import { HubWireLinter } from './hub-wire-linter.ts';

/** One way to use a hub: a release of the official client or our own client, a transport and a protocol. */
export interface HubRoute {
  readonly release: 8 | 10 | 'own';
  readonly transport: 'WebSockets' | 'ServerSentEvents' | 'LongPolling';
  readonly protocol: 'json' | 'messagepack';
}

/** Every way that the official client and the widget's own client have. */
export const hubRoutes: readonly HubRoute[] = ([8, 10, 'own'] as const).flatMap((release) => [
  { release, transport: 'WebSockets', protocol: 'json' } as const,
  { release, transport: 'ServerSentEvents', protocol: 'json' } as const,
  { release, transport: 'LongPolling', protocol: 'json' } as const,
  ...(release === 'own'
    ? []
    : [
        { release, transport: 'WebSockets', protocol: 'messagepack' } as const,
        { release, transport: 'LongPolling', protocol: 'messagepack' } as const,
      ]),
]);

/** The part of a client that the scenarios use, in the official client's terms. */
export type ScenarioConnection = Pick<
  signalr10.HubConnection,
  | 'connectionId'
  | 'invoke'
  | 'keepAliveIntervalInMilliseconds'
  | 'on'
  | 'onclose'
  | 'onreconnected'
  | 'onreconnecting'
  | 'send'
  | 'serverTimeoutInMilliseconds'
  | 'start'
  | 'state'
  | 'stop'
  | 'stream'
>;

export interface ScenarioClientOptions {
  readonly reconnects?: boolean;
  /** Whether the client uses stateful reconnect. */
  readonly stateful?: boolean;
  /** Read at each negotiation and connection. */
  readonly credential?: () => string;
  /** Called before the connection starts, for handlers that must see every message. */
  readonly prepare?: (connection: ScenarioConnection) => void;
}

export interface ScenarioClient {
  readonly connection: ScenarioConnection;
  /** The rules of the protocol that the server has broken on this connection. */
  readonly faults: () => readonly string[];
  /** The number of frames and answered polls so far. */
  readonly heard: () => number;
}

/** The part of a Node `EventSource` that delivers messages. The client sets a single listener. */
type EventSourceClass = new (...given: readonly unknown[]) => {
  emit(type: string, event: { readonly data?: string }): boolean;
};

// The client's own dependency, which it loads itself unless it is given another.
const EventSource = createRequire(import.meta.resolve('@microsoft/signalr'))('eventsource') as EventSourceClass;

/** The client of one route, with the wire linter on everything it receives. It is started here and stopped when the test ends. */
export async function scenarioClient(
  url: string,
  route: HubRoute,
  options: ScenarioClientOptions = {},
): Promise<ScenarioClient> {
  if (route.release === 'own') return ownScenarioClient(url, route, options);
  // both releases have the same interface, and only private members tell their types apart
  const signalr = route.release === 10 ? signalr10 : (signalr8 as unknown as typeof signalr10);
  const linters: HubWireLinter[] = [];
  let heard = 0;
  const onHeard = (): void => void (heard += 1);
  let builder = new signalr.HubConnectionBuilder().configureLogging(signalr.LogLevel.None).withUrl(url, {
    ...lintedOptions(signalr, route, { linters, onHeard }),
    ...(options.credential !== undefined && { accessTokenFactory: options.credential }),
  });
  if (route.protocol === 'messagepack') builder = builder.withHubProtocol(new MessagePackHubProtocol());
  if (options.reconnects === true) {
    builder = builder.withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => 0 });
  }
  if (options.stateful === true) builder = builder.withStatefulReconnect();
  const connection = builder.build();
  options.prepare?.(connection);
  onTestFinished(() => connection.stop());
  await connection.start();
  return { connection, faults: () => linters.flatMap((linter) => linter.faults), heard: () => heard };
}

function lintedOptions(
  signalr: typeof signalr10,
  route: HubRoute,
  { linters, onHeard }: { readonly linters: HubWireLinter[]; readonly onHeard: () => void },
): signalr10.IHttpConnectionOptions {
  const newLinter = (): HubWireLinter => {
    const linter = new HubWireLinter(route.protocol);
    linters.push(linter);
    return linter;
  };
  class LintedWebSocket extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given);
      const linter = newLinter();
      this.on('message', (data, isBinary) => {
        onHeard();
        // The client wants binary messages as an ArrayBuffer.
        if (Array.isArray(data)) throw new Error('a message in fragments');
        linter.check(Buffer.isBuffer(data) ? data : Buffer.from(data), isBinary);
      });
    }
  }
  class LintedEventSource extends EventSource {
    readonly #linter: HubWireLinter;

    constructor(...given: readonly unknown[]) {
      super(...given);
      this.#linter = newLinter();
    }

    override emit(type: string, event: { readonly data?: string }): boolean {
      if (type === 'message') {
        onHeard();
        this.#linter.check(Buffer.from(event.data ?? ''), false);
      }
      return super.emit(type, event);
    }
  }
  const given = {
    transport: signalr.HttpTransportType[route.transport],
    // The client has these options but does not declare them in these types.
    WebSocket: LintedWebSocket,
    EventSource: LintedEventSource,
    ...(route.transport === 'LongPolling' && { httpClient: lintedPolls(signalr, newLinter, onHeard) }),
  };
  return given;
}

/** The client's own HTTP client. Its polls pass a linter for each connection. */
function lintedPolls(
  signalr: typeof signalr10,
  newLinter: () => HubWireLinter,
  onHeard: () => void,
): signalr10.HttpClient {
  const linters = new Map<string, HubWireLinter>();
  class LintedHttpClient extends signalr.DefaultHttpClient {
    override async send(request: signalr10.HttpRequest): Promise<signalr10.HttpResponse> {
      const response = await super.send(request);
      const token = request.method === 'GET' ? new URL(request.url ?? '').searchParams.get('id') : null;
      const { content } = response;
      if (token === null || content === undefined) return response;
      onHeard();
      const linter = linters.get(token) ?? newLinter();
      linters.set(token, linter);
      const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
      if (bytes.length > 0) linter.check(bytes, typeof content !== 'string');
      return response;
    }
  }
  return new LintedHttpClient(signalr.NullLogger.instance);
}
