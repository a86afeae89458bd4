import { CutShort } from './cut-short.ts';
import { HubRequests } from './hub-requests.ts';
import type { HubClientOptions } from './hub-options.ts';
import { HubSession } from './hub-session.ts';
import type { Ending } from './hub-session-options.ts';
import { defaultTimings } from './hub-timings.ts';
import type { Negotiated } from './negotiate.ts';
import type { CallOptions } from './pending-calls.ts';
import type { HubHandler } from './run-handler.ts';

/** Milliseconds. After a connection that lasted this long, the next loss starts a new count of attempts. */
const stableMs = 10_000;

/**
 * A client of the ASP.NET Core SignalR hub protocol in JSON, for browsers and Node. It falls back from one transport to the next. When
 * the connection breaks it reconnects, first to the same connection where the server has stateful reconnect. The client knows
 * nothing about its use.
 */
export class HubClient {
  readonly #options: HubClientOptions;
  readonly #requests: HubRequests;
  readonly #handlers = new Map<string, HubHandler>();
  #session: HubSession | null = null;
  /** The running effort to connect. */
  #opening: Promise<void> | null = null;
  #effort = new AbortController();
  /** Whether that effort replaces a lost connection by another one. */
  #isReplacing = false;
  /** The pause before the next attempt. */
  readonly #delay = new CutShort();
  /** The attempts since the last stable connection. */
  #attempts = 0;
  #openedAt = 0;

  constructor(options: HubClientOptions) {
    this.#options = options;
    this.#requests = new HubRequests(options.url, options.token);
  }

  /** Whether a message that is sent now leaves at once. */
  get isConnected(): boolean {
    return this.#session?.isOnLine === true;
  }

  /** Whether a connection was lost and is being restored or replaced. */
  get isReconnecting(): boolean {
    return this.#isReplacing || this.#session?.isInterrupted === true;
  }

  /** What the server has told about the current or last connection. */
  get negotiated(): Negotiated | null {
    return this.#session?.negotiated ?? null;
  }

  /** Sets the handler of an event or a call of the server. Each name has one handler, and its value answers a call. */
  on(name: string, handler: HubHandler): void {
    this.#handlers.set(name, handler);
  }

  /**
   * Resolves when there is a connection. Joins a running attempt. A reconnection that pauses tries again at once. Rejects when the first
   * attempt fails, or when the reconnection is given up.
   */
  async connect(): Promise<void> {
    this.#delay.end();
    await this.#session?.settled();
    if (this.isConnected) return;
    this.wake();
    await (this.#opening ??= this.#begin(() => this.#open()));
  }

  /** The server may be reachable again. A reconnection that pauses tries at once and begins with short pauses. */
  wake(): void {
    this.#attempts = 0;
    this.#delay.end();
  }

  /** The line is dead, although no event has told so. The client restores it or makes another one. */
  cut(): void {
    this.#session?.cut();
  }

  /** Calls a method. Rejects with the server's error, or when the connection ends. */
  async invoke(target: string, values: readonly unknown[] = [], options: CallOptions = {}): Promise<unknown> {
    return this.#current().call({ type: 1, target, arguments: values }, options);
  }

  /** Calls a method whose items go to `onItem`. Resolves when the stream has ended. */
  async stream(target: string, values: readonly unknown[], options: CallOptions): Promise<void> {
    await this.#current().call({ type: 4, target, arguments: values }, options);
  }

  /**
   * Calls a method whose answer nobody waits for.
   * @throws Error when there is no connection.
   */
  send(target: string, values: readonly unknown[]): void {
    this.#current().send({ type: 1, target, arguments: values });
  }

  /** Says goodbye and ends the connection, or the attempt to get one. Resolves when that is done, within a few seconds. */
  async stop(): Promise<void> {
    const session = this.#session;
    const opening = this.#opening;
    const wasInUse = session !== null || opening !== null;
    this.#session = null;
    this.#effort.abort(new Error('stopped'));
    this.#delay.end();
    await session?.close();
    await opening?.catch(() => undefined);
    if (wasInUse) this.#options.listener.onClosed(null);
  }

  #current(): HubSession {
    if (this.#session === null) throw new Error('not connected');
    return this.#session;
  }

  /** Runs one effort to connect. The effort counts as ended before its result is told, because the receiver may begin the next one. */
  async #begin(work: () => Promise<void>): Promise<void> {
    this.#effort = new AbortController();
    try {
      await work();
    } finally {
      this.#opening = null;
      this.#isReplacing = false;
    }
  }

  async #open(): Promise<void> {
    const { timings, listener } = this.#options;
    const { signal } = this.#effort;
    const session = new HubSession({
      ...this.#options,
      ...listener,
      requests: this.#requests,
      delay: this.#delay,
      timings: { ...defaultTimings, ...timings },
      handlers: this.#handlers,
      onEnded: (ending) => this.#ended(session, ending),
    });
    // The session is known from its beginning, because its first event may arrive together with its handshake.
    this.#session = session;
    try {
      await session.open(signal);
    } catch (error) {
      if (this.#session === session) this.#session = null;
      throw error;
    }
    this.#openedAt = performance.now();
  }

  #ended(session: HubSession, { reason, mayReconnect }: Ending): void {
    // Otherwise the session was stopped, or an attempt to open it has failed.
    if (this.#session !== session || this.#opening !== null) return;
    this.#session = null;
    if (performance.now() - this.#openedAt > stableMs) this.#attempts = 0;
    const { listener, reconnectDelay } = this.#options;
    const delay = mayReconnect ? reconnectDelay(this.#attempts, reason) : null;
    if (delay === null) {
      listener.onClosed(reason);
      return;
    }
    this.#isReplacing = true;
    this.#opening = this.#begin(() => this.#reconnect(delay));
    this.#opening.then(
      () => listener.onReconnected(),
      (error: unknown) => {
        if (!this.#effort.signal.aborted) listener.onClosed(error);
      },
    );
    listener.onReconnecting(reason);
  }

  async #reconnect(firstDelay: number): Promise<void> {
    for (let delay: number | null = firstDelay; ;) {
      await this.#delay.wait(delay);
      this.#effort.signal.throwIfAborted();
      this.#attempts += 1;
      try {
        await this.#open();
        return;
      } catch (error) {
        this.#effort.signal.throwIfAborted();
        delay = this.#options.reconnectDelay(this.#attempts, error);
        if (delay === null) throw error;
      }
    }
  }
}
