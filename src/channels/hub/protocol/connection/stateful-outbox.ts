import type { HubCodec } from '../codec/hub-codec.ts';
import type { HubTransport } from '../hub-transport.ts';
import type { Flushable, OutboxOptions } from './outbox.ts';
import { ReplayBuffer } from './replay-buffer.ts';

/** Options of a stateful outbox. `transport` is the first transport. */
export interface StatefulOutboxOptions extends OutboxOptions {
  readonly codec: HubCodec;
  /** Nothing more is sent while more bytes than these are not acknowledged. */
  readonly maxUnacknowledgedBytes: number;
}

/**
 * The outbox of a connection with stateful reconnect. It keeps each message until the client has acknowledged it, even without a socket,
 * and sends unacknowledged messages again over the next socket. A client that does not acknowledge counts as slow.
 */
export class StatefulOutbox {
  readonly #options: StatefulOutboxOptions;
  #messages = new ReplayBuffer();
  #transport: HubTransport | undefined;
  /** Pings and acknowledgements. They have no meaning for a later socket. */
  #control = '';
  #scheduled = false;
  #held = true;
  /** Bytes of messages since the last flush, and the bytes of the largest flush since all messages were acknowledged. */
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

  /** Queues a record that concerns only the connection itself, such as a ping or an acknowledgement. */
  pushControl(record: string): void {
    if (this.#transport === undefined) return;
    this.#control += record;
    this.#schedule();
  }

  /**
   * Begins to send, because the client is ready to count messages. The JavaScript client starts counting only after it has handled the
   * answer to its handshake. It would not count a message that it reads together with that answer, and would get this message twice after a
   * reconnection.
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

  /** Continues over a new socket. Tells the client the number of the first message, and sends that message and all later ones again. */
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

  /** Sends everything at once before the end, because no acknowledgement will come that would let the rest be sent later. */
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

  /** Whether the client is slow. One flush may be larger than the limit, so only bytes beyond the largest flush count, as in `Outbox`. */
  #isSlow(): boolean {
    const waiting = Math.max(this.#messages.bytes - this.#added, this.#transport?.bufferedBytes ?? 0);
    if (waiting === 0) this.#largestFlush = 0;
    const isSlow = waiting > this.#options.maxBufferedBytes + this.#largestFlush;
    this.#largestFlush = Math.max(this.#largestFlush, this.#added);
    this.#added = 0;
    return isSlow;
  }
}
