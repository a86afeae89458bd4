import { HubRequests } from './hub-requests.ts';
import type { HubClientOptions } from './hub-options.ts';
import { type Ending, HubSession } from './hub-session.ts';
import { defaultTimings } from './hub-timings.ts';
import type { Negotiated } from './negotiate.ts';
import type { CallOptions } from './pending-calls.ts';
import type { HubHandler } from './run-handler.ts';

/** A connection that lasted so long was a good one: the next loss is no sequel of the last. */
const stableMs = 10_000;

/**
 * A client of the ASP.NET Core SignalR hub protocol in JSON, for browsers and Node. It falls back from one transport to
 * the next, comes back when the connection breaks (at once to the same one where the server has stateful reconnect) and
 * knows nothing of what it is used for.
 */
export class HubClient {
  readonly #options: HubClientOptions;
  readonly #requests: HubRequests;
  readonly #handlers = new Map<string, HubHandler>();
  #session: HubSession | null = null;
  /** The effort to connect that is under way, and what ends it. */
  #opening: Promise<void> | null = null;
  #effort = new AbortController();
  /** The effort is for another connection in the place of one that was lost. */
  #isReplacing = false;
  /** Ends the pause before the next attempt. */
  #endPause: () => void = () => undefined;
  /** How many attempts there were since the connection last was a good one. */
  #attempts = 0;
  #openedAt = 0;

  constructor(options: HubClientOptions) {
    this.#options = options;
    this.#requests = new HubRequests(options.url, options.token);
  }

  /** What is said now is on its way at once. */
  get isConnected(): boolean {
    return this.#session?.isOnLine === true;
  }

  /** There was a connection, and there may be one again: the same or another. */
  get isReconnecting(): boolean {
    return this.#isReplacing || this.#session?.isInterrupted === true;
  }

  /** What the server said of the connection that is open, or was last. */
  get negotiated(): Negotiated | null {
    return this.#session?.negotiated ?? null;
  }

  /** What becomes of an event or a call of the server: one handler for each name, whose value answers a call. */
  on(name: string, handler: HubHandler): void {
    this.#handlers.set(name, handler);
  }

  /**
   * Resolves when there is a connection. Joins an attempt that is under way; a reconnection that pauses tries again at
   * once. Rejects when the first attempt fails, or the reconnection is given up.
   */
  async connect(): Promise<void> {
    await this.#session?.settled();
    if (this.isConnected) return;
    this.wake();
    await (this.#opening ??= this.#begin(() => this.#open()));
  }

  /** There may be a way to the server again: a reconnection that pauses tries at once, and begins with short pauses. */
  wake(): void {
    this.#attempts = 0;
    this.#endPause();
  }

  /** The line leads nowhere any more, although nothing has said so: it is restored, or another one is made. */
  cut(): void {
    this.#session?.cut();
  }

  /** Calls a method. Rejects with what the server says, or when the connection ends. */
  async invoke(target: string, values: readonly unknown[] = [], options: CallOptions = {}): Promise<unknown> {
    return this.#current().call({ type: 1, target, arguments: values }, options);
  }

  /** Calls a method whose items go to `onItem`. Resolves when the stream has ended. */
  async stream(target: string, values: readonly unknown[], options: CallOptions): Promise<void> {
    await this.#current().call({ type: 4, target, arguments: values }, options);
  }

  /** Calls a method whose answer nobody waits for. @throws when there is no connection */
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
    await session?.close();
    await opening?.catch(() => undefined);
    if (wasInUse) this.#options.listener.onClosed(null);
  }

  #current(): HubSession {
    if (this.#session === null) throw new Error('not connected');
    return this.#session;
  }

  /** An effort is over before anybody hears how it ended: whoever does may begin the next one. */
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
      timings: { ...defaultTimings, ...timings },
      handlers: this.#handlers,
      onEnded: (ending) => this.#ended(session, ending),
    });
    // From the beginning: its first event may come along with its handshake.
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
    // Else it was stopped, or its end is the failure of an attempt.
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
      await this.#pause(delay);
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

  /** Resolves after the delay, or as soon as somebody wakes it. Rejects when the client is stopped. */
  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#effort;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', this.#endPause);
    });
    signal.throwIfAborted();
  }
}
