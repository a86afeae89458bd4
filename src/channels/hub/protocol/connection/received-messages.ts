import type { ClientMessage } from '../codec/client-message.ts';
import { errorTexts, HubProtocolError } from '../hub-errors.ts';

/** Message types 1 to 5; both sides count the same ones. */
const counted: ReadonlySet<ClientMessage['kind']> = new Set([
  'invocation',
  'stream-item',
  'completion',
  'stream-invocation',
  'cancel-invocation',
]);

/** Numbers the messages of one client from 1, so that those it sends again over its next socket are taken once. */
export class ReceivedMessages {
  #nextId = 1;
  #latestId = 0;
  #acknowledgedId = 0;
  #awaitsSequence = false;

  /**
   * Whether a message is to be processed. A message that came before is not, and on a new socket no message before its
   * Sequence is.
   */
  admits(message: ClientMessage): boolean {
    // A goodbye counts wherever it stands.
    if (message.kind === 'sequence' || message.kind === 'close') return true;
    if (this.#awaitsSequence) return false;
    if (!counted.has(message.kind)) return true;
    const id = this.#nextId;
    this.#nextId += 1;
    if (id <= this.#latestId) return false;
    this.#latestId = id;
    return true;
  }

  /** The client comes over a new socket and will say which message it begins with. */
  awaitSequence(): void {
    this.#awaitsSequence = true;
  }

  /** The next message is this one. @throws HubProtocolError when those before it never came */
  startAt(id: number): void {
    if (id > this.#latestId + 1) throw new HubProtocolError(errorTexts.sequenceTooHigh);
    this.#awaitsSequence = false;
    this.#nextId = id;
    // The client sends these messages again because it was not told that they came, or because that word was lost with
    // its socket.
    this.#acknowledgedId = Math.min(this.#acknowledgedId, id - 1);
  }

  /**
   * The number up to which the client is to be told that all messages came. Undefined when the client knows already.
   */
  acknowledgement(): number | undefined {
    if (this.#acknowledgedId === this.#latestId) return undefined;
    this.#acknowledgedId = this.#latestId;
    return this.#latestId;
  }
}
