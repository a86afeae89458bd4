import { HubConnectionState } from '@microsoft/signalr';
import { onTestFinished, vi } from 'vitest';
import { fallbackTransports } from '../../src/widget/transport/signalr/fallback-transports.ts';
import { HubClient } from '../../src/widget/transport/signalr/hub-client.ts';
import type { HubToken } from '../../src/widget/transport/signalr/hub-requests.ts';
import type { HubRoute, ScenarioClient, ScenarioClientOptions, ScenarioConnection } from './hub-scenario-client.ts';
import { HubWireLinter } from './hub-wire-linter.ts';

/** The widget's own client on one route, with the interface of the official client and with the wire linter on everything it receives. */
export async function ownScenarioClient(
  url: string,
  { transport }: HubRoute,
  options: ScenarioClientOptions,
): Promise<ScenarioClient> {
  const wire = lintedWire();
  const connection = new OwnConnection(url, transport, options);
  options.prepare?.(connection);
  onTestFinished(() => connection.stop());
  await connection.start();
  return { connection, ...wire };
}

/** A token that is read anew each time. */
export function testToken(credential: () => string = () => ''): HubToken {
  const token = {
    latest: '',
    read: async () => (token.latest = credential()),
  };
  return token;
}

class OwnConnection implements ScenarioConnection {
  serverTimeoutInMilliseconds = 30_000;
  keepAliveIntervalInMilliseconds = 15_000;
  state = HubConnectionState.Disconnected;
  readonly #client: HubClient;
  readonly #told = {
    onclose: [] as ((error?: Error) => void)[],
    onreconnecting: [] as ((error?: Error) => void)[],
    onreconnected: [] as ((connectionId?: string) => void)[],
  };

  constructor(url: string, transport: HubRoute['transport'], { reconnects, credential }: ScenarioClientOptions) {
    // A scenario sets the timings before it starts, so they are read at each connection.
    const timings = Object.defineProperties(
      {},
      {
        serverTimeoutMs: { enumerable: true, get: () => this.serverTimeoutInMilliseconds },
        keepAliveMs: { enumerable: true, get: () => this.keepAliveIntervalInMilliseconds },
      },
    );
    this.#client = new HubClient({
      url,
      token: testToken(credential),
      transports: [transport],
      timings,
      loadFallback: () => Promise.resolve(fallbackTransports),
      reconnectDelay: () => (reconnects === true ? 0 : null),
      listener: {
        onInterrupted: () => undefined,
        onRestored: () => undefined,
        onReconnecting: (reason) => {
          this.#tell('onreconnecting', HubConnectionState.Reconnecting, errorOf(reason));
        },
        onReconnected: () => {
          this.state = HubConnectionState.Connected;
          for (const callback of this.#told.onreconnected) callback(this.connectionId ?? '');
        },
        onClosed: (reason) => {
          this.#tell('onclose', HubConnectionState.Disconnected, errorOf(reason));
        },
      },
    });
  }

  get connectionId(): string | null {
    return this.#client.negotiated?.connectionId ?? null;
  }

  async start(): Promise<void> {
    await this.#client.connect();
    this.state = HubConnectionState.Connected;
  }

  stop(): Promise<void> {
    return this.#client.stop();
  }

  invoke<T>(name: string, ...values: unknown[]): Promise<T> {
    return this.#client.invoke(name, values) as Promise<T>; // the method of the scenario returns this
  }

  async send(name: string, ...values: unknown[]): Promise<void> {
    this.#client.send(name, values);
  }

  stream(name: string, ...values: unknown[]): ReturnType<ScenarioConnection['stream']> {
    return {
      subscribe: (subscriber) => {
        const abort = new AbortController();
        const options = { signal: abort.signal, onItem: (item: unknown) => subscriber.next(item) };
        this.#client.stream(name, values, options).then(
          () => subscriber.complete(),
          (reason: unknown) => {
            if (!abort.signal.aborted) subscriber.error(reason);
          },
        );
        return { dispose: () => abort.abort(new Error('disposed')) };
      },
    };
  }

  on(name: string, handler: (...values: never[]) => unknown): void {
    this.#client.on(name, handler);
  }

  onclose(callback: (error?: Error) => void): void {
    this.#told.onclose.push(callback);
  }

  onreconnecting(callback: (error?: Error) => void): void {
    this.#told.onreconnecting.push(callback);
  }

  onreconnected(callback: (connectionId?: string) => void): void {
    this.#told.onreconnected.push(callback);
  }

  #tell(notice: 'onclose' | 'onreconnecting', state: HubConnectionState, error: Error | undefined): void {
    this.state = state;
    for (const callback of this.#told[notice]) callback(error);
  }
}

function errorOf(reason: unknown): Error | undefined {
  return reason instanceof Error ? reason : undefined;
}

/** Puts the linter between this test's client and the platform's network functions. */
export function lintedWire(): Pick<ScenarioClient, 'faults' | 'heard'> {
  const linters = new Map<string, HubWireLinter>();
  let heard = 0;
  const check = (key: string, text: string): void => {
    heard += 1;
    const linter = linters.get(key) ?? new HubWireLinter('json');
    linters.set(key, linter);
    if (text !== '') linter.check(Buffer.from(text), false);
  };
  const { fetch, WebSocket } = globalThis;
  let sockets = 0;
  class LintedWebSocket extends WebSocket {
    constructor(address: string | URL) {
      super(address);
      const key = `socket ${String((sockets += 1))}`;
      this.addEventListener('message', ({ data }) => {
        check(key, String(data));
      });
    }
  }
  const lintedFetch: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    const [address, request] = given;
    const token = address instanceof URL ? address.searchParams.get('id') : null;
    if (request?.method !== 'GET' || token === null || response.body === null) return response;
    if (response.headers.get('content-type') === 'text/event-stream') return lintedStream(response, token, check);
    const text = await response.text();
    check(token, text);
    return new Response(response.status === 204 ? null : text, response);
  };
  vi.stubGlobal('WebSocket', LintedWebSocket);
  vi.stubGlobal('fetch', lintedFetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  return { faults: () => [...linters.values()].flatMap((linter) => linter.faults), heard: () => heard };
}

function lintedStream(response: Response, key: string, check: (key: string, text: string) => void): Response {
  const decoder = new TextDecoder();
  let rest = '';
  const linting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const events = (rest + decoder.decode(chunk, { stream: true })).split('\r\n\r\n');
      rest = events.pop() ?? '';
      for (const event of events) check(key, event.slice(event.indexOf('data: ') + 'data: '.length));
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(linting) ?? null, response);
}
