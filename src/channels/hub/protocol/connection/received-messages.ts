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

  /** Whether a message is to be processed: not when it came before, and on a new socket nothing before its Sequence. */
  admits(message: ClientMessage): boolean {
    // A goodbye is one wherever it stands.
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
    // What it sends again it was never told to have come, or the word was lost with its socket.
    this.#acknowledgedId = Math.min(this.#acknowledgedId, id - 1);
  }

  /** The message up to which the client is to be told that all came; undefined when it knows. */
  acknowledgement(): number | undefined {
    if (this.#acknowledgedId === this.#latestId) return undefined;
    this.#acknowledgedId = this.#latestId;
    return this.#latestId;
  }
}
