import type { ClientMessage } from '../codec/client-message.ts';
import type { HubCodec } from '../codec/hub-codec.ts';
import type { HubTransport } from '../hub-transport.ts';
import { ReceivedMessages } from './received-messages.ts';
import { StatefulOutbox, type StatefulOutboxOptions } from './stateful-outbox.ts';

/** The version of the hub protocol that has Ack and Sequence. */
export const statefulVersion = 2;
/** Milliseconds that a silent client gets to prepare for its first message. */
const settleMs = 500;

/** The state of a connection with stateful reconnect that outlives its socket. */
export class StatefulSession {
  readonly outbox: StatefulOutbox;
  readonly #received = new ReceivedMessages();
  readonly #codec: HubCodec;
  readonly #openedAt: number;
  #awaySince: number | undefined;

  constructor(options: StatefulOutboxOptions) {
    this.outbox = new StatefulOutbox(options);
    this.#codec = options.codec;
    this.#openedAt = options.now();
  }

  /** The time since when there is no socket; undefined while there is one. */
  get awaySince(): number | undefined {
    return this.#awaySince;
  }

  /** Whether the connection must act on a message. It does not act on repeated messages, or on messages about the session itself. */
  admits(message: ClientMessage): boolean {
    this.outbox.release();
    if (!this.#received.admits(message)) return false;
    if (message.kind === 'ack') this.outbox.acknowledge(message.sequenceId);
    else if (message.kind === 'sequence') this.#received.startAt(message.sequenceId);
    else return true;
    return false;
  }

  leave(now: number): void {
    this.#awaySince ??= now;
    this.outbox.detach();
  }

  comeBack(transport: HubTransport): void {
    this.#awaySince = undefined;
    this.#received.awaitSequence();
    this.outbox.attach(transport);
  }

  /** About once a second: acknowledges what has come. */
  tick(now: number): void {
    if (now - this.#openedAt >= settleMs) this.outbox.release();
    const id = this.#awaySince === undefined ? this.#received.acknowledgement() : undefined;
    if (id !== undefined) this.outbox.pushControl(this.#codec.ack(id));
  }
}
