import type { ClientMessage } from '../codec/client-message.ts';
import { errorTexts, HubProtocolError } from '../hub-errors.ts';

/** Message types 1 to 5. Client and server number only these. */
const counted: ReadonlySet<ClientMessage['kind']> = new Set([
  'invocation',
  'stream-item',
  'completion',
  'stream-invocation',
  'cancel-invocation',
]);

/** Numbers the messages of one client from 1. The client may send messages again over its next socket, and each is processed only once. */
export class ReceivedMessages {
  #nextId = 1;
  #latestId = 0;
  #acknowledgedId = 0;
  #awaitsSequence = false;

  /**
   * Whether a message is to be processed. A message that was processed before is not. On a new socket, no message before the Sequence
   * message is.
   */
  admits(message: ClientMessage): boolean {
    // A Close message counts at any position.
    if (message.kind === 'sequence' || message.kind === 'close') return true;
    if (this.#awaitsSequence) return false;
    if (!counted.has(message.kind)) return true;
    const id = this.#nextId;
    this.#nextId += 1;
    if (id <= this.#latestId) return false;
    this.#latestId = id;
    return true;
  }

  /** Called when the client has a new socket. It will say with which message it begins. */
  awaitSequence(): void {
    this.#awaitsSequence = true;
  }

  /** The next message has this number. @throws HubProtocolError when an earlier message never came */
  startAt(id: number): void {
    if (id > this.#latestId + 1) throw new HubProtocolError(errorTexts.sequenceTooHigh);
    this.#awaitsSequence = false;
    this.#nextId = id;
    // The client sends these messages again because it got no acknowledgement, or because the acknowledgement was lost with the socket.
    this.#acknowledgedId = Math.min(this.#acknowledgedId, id - 1);
  }

  /** The number of the last message that came, to acknowledge to the client. Undefined when the client knows it already. */
  acknowledgement(): number | undefined {
    if (this.#acknowledgedId === this.#latestId) return undefined;
    this.#acknowledgedId = this.#latestId;
    return this.#latestId;
  }
}
