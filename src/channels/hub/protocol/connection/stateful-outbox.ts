import type { HubCodec } from '../codec/hub-codec.ts';
import type { HubTransport } from '../hub-transport.ts';
import type { Flushable, OutboxOptions } from './outbox.ts';
import { ReplayBuffer } from './replay-buffer.ts';

/** `transport` is the first one. */
export interface StatefulOutboxOptions extends OutboxOptions {
  readonly codec: HubCodec;
  /** No more is sent while so many bytes are not acknowledged. */
  readonly maxUnacknowledgedBytes: number;
}

/**
 * The outbox of a connection with stateful reconnect: keeps each message until the client has acknowledged it, also while
 * there is no socket, and sends what is left over the next one. A client that does not acknowledge is a slow one.
 */
export class StatefulOutbox {
  readonly #options: StatefulOutboxOptions;
  #messages = new ReplayBuffer();
  #transport: HubTransport | undefined;
  /** Pings and acknowledgements: of no use to a later socket. */
  #control = '';
  #scheduled = false;
  #held = true;
  /** Bytes of messages since the last flush, and most of one since all was acknowledged. */
  #added = 0;
  #largestFlush = 0;
  #lastSentAt: number;
  readonly #scheduledSend: Flushable = {
    flush: () => {
      this.#scheduled = false;
      this.#send(this.#options.maxUnacknowledgedBytes);
    },
  };

  constructor(options: StatefulOutboxOptions) {
    this.#options = options;
    this.#transport = options.transport;
    this.#lastSentAt = options.now();
  }

  get lastSentAt(): number {
    return this.#lastSentAt;
  }

  /** Queues a message. */
  push(record: string): void {
    const bytes = Buffer.byteLength(record, this.#options.codec.isBinary ? 'latin1' : 'utf8');
    this.#messages.add(record, bytes);
    this.#added += bytes;
    this.#schedule();
  }

  /** Queues a record that is only about the line: a ping, an acknowledgement. */
  pushControl(record: string): void {
    if (this.#transport === undefined) return;
    this.#control += record;
    this.#schedule();
  }

  /**
   * The client is ready to count messages. The JavaScript client begins to only after it has dealt with the answer to its
   * handshake: a message that Node reads along with that answer would go uncounted, and come twice after a reconnection.
   */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#schedule();
  }

  acknowledge(id: number): void {
    this.#messages.acknowledge(id);
    this.#schedule();
  }

  /** The socket is gone. */
  detach(): void {
    this.#transport = undefined;
    this.#control = '';
  }

  /** The client has come back: tells it with which message it goes on, and sends that and all later ones again. */
  attach(transport: HubTransport): void {
    this.#transport = transport;
    this.#messages.rewind();
    this.#control = this.#options.codec.sequence(this.#messages.firstId);
    this.#held = false;
    this.#send(this.#options.maxUnacknowledgedBytes);
  }

  /** The connection has ended: nothing more is sent, and nothing is kept for calls that still run. */
  discard(): void {
    this.detach();
    this.#messages = new ReplayBuffer();
  }

  /** Sends everything at once before the end: no acknowledgement would let the rest go later. */
  flush(): void {
    this.#held = false;
    this.#send(Infinity);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#options.schedule(this.#scheduledSend);
  }

  #send(maxUnacknowledgedBytes: number): void {
    if (this.#isSlow()) {
      this.#options.onSlow();
      return;
    }
    const transport = this.#transport;
    if (transport === undefined) return;
    const records = this.#control + (this.#held ? '' : this.#messages.take(maxUnacknowledgedBytes));
    this.#control = '';
    if (records === '') return;
    transport.send(records);
    this.#lastSentAt = this.#options.now();
  }

  /** Like any outbox: one flush may be larger than the limit, and only what gathers behind it shows a slow client. */
  #isSlow(): boolean {
    const waiting = Math.max(this.#messages.bytes - this.#added, this.#transport?.bufferedBytes ?? 0);
    if (waiting === 0) this.#largestFlush = 0;
    const isSlow = waiting > this.#options.maxBufferedBytes + this.#largestFlush;
    this.#largestFlush = Math.max(this.#largestFlush, this.#added);
    this.#added = 0;
    return isSlow;
  }
}
