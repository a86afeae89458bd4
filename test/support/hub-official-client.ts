import {
  HttpTransportType,
  type HubConnection,
  HubConnectionBuilder,
  type IHttpConnectionOptions,
  type IRetryPolicy,
  LogLevel,
} from '@microsoft/signalr';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { HubWireLinter } from './hub-wire-linter.ts';

export interface OfficialClientOptions {
  readonly skipNegotiation?: boolean;
  /** Whether the client reconnects at once and without a limit of attempts. */
  readonly reconnects?: boolean;
  /** Left out, the client chooses. */
  readonly transport?: HttpTransportType;
  /** The user's token. Left out, the caller is anonymous. */
  readonly token?: string;
}

export interface OfficialClient {
  readonly connection: HubConnection;
  /** The names and arguments of all events, in order. */
  readonly events: { readonly name: string; readonly fields: Readonly<Record<string, unknown>> }[];
  /** The sockets that it has opened. The newest is the last. */
  readonly sockets: WebSocket[];
  /** The rules of the protocol that the server has broken on any of the sockets. */
  readonly faults: () => readonly string[];
}

const eventNames = [
  'Connected',
  'TurnStarted',
  'TextDelta',
  'ThoughtReady',
  'ActionExecuting',
  'ActionProgress',
  'ActionCompleted',
  'AgentActivity',
  'ConfirmationRequested',
  'ConfirmationResolved',
  'NavigationRequested',
  'CardReady',
  'TurnCompleted',
  'ErrorOccurred',
  'RemoteAgentStatusChanged',
  'McpStatusChanged',
  'ServerDraining',
];

const atOnce: IRetryPolicy = { nextRetryDelayInMilliseconds: () => 0 };

/** The official JavaScript client with the wire linter on its sockets. It is started here and stopped when the test ends. */
export async function officialClient(url: string, options: OfficialClientOptions = {}): Promise<OfficialClient> {
  const linters: HubWireLinter[] = [];
  const sockets: WebSocket[] = [];
  class LintedWebSocket extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given);
      const linter = new HubWireLinter();
      linters.push(linter);
      sockets.push(this);
      this.on('message', (data, isBinary) => {
        if (Buffer.isBuffer(data)) linter.check(data, isBinary);
      });
    }
  }
  // The client has the option `WebSocket` but does not declare it.
  const connectionOptions: IHttpConnectionOptions & { readonly WebSocket: unknown } = {
    WebSocket: LintedWebSocket,
    ...(options.token === undefined ? {} : { accessTokenFactory: () => options.token ?? '' }),
    ...(options.transport === undefined ? {} : { transport: options.transport }),
    ...(options.skipNegotiation === true && { skipNegotiation: true, transport: HttpTransportType.WebSockets }),
  };
  let builder = new HubConnectionBuilder().configureLogging(LogLevel.None).withUrl(url, connectionOptions);
  if (options.reconnects === true) builder = builder.withAutomaticReconnect(atOnce);
  const connection = builder.build();
  const events: OfficialClient['events'] = [];
  for (const name of eventNames)
    connection.on(name, (fields: OfficialClient['events'][number]['fields']) => events.push({ name, fields }));
  await connection.start();
  onTestFinished(() => connection.stop());
  return { connection, events, sockets, faults: () => linters.flatMap((linter) => linter.faults) };
}
