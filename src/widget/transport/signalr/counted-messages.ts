import { type ServerMessage, writeRecord } from './hub-messages.ts';

/** The message types that both sides count from 1. */
const firstCounted = 1;
const lastCounted = 5;

/**
 * What stateful reconnect needs to know of a connection: the messages that the server has not acknowledged, and the
 * number of the last one that came from it.
 */
export class CountedMessages {
  #kept: string[] = [];
  #keptLength = 0;
  /** The number of the first message that is kept, or of the next one. */
  #firstId = 1;
  /** The number of the next message to come, and the highest that did. */
  #nextId = 1;
  #latestId = 0;
  #unacknowledged = 0;
  #awaitsSequence = false;

  /** How many characters are kept. */
  get length(): number {
    return this.#keptLength;
  }

  /** How many characters have come that the server does not know to have come. */
  get unacknowledged(): number {
    return this.#unacknowledged;
  }

  /** Keeps a message that is sent until it is acknowledged. */
  keep(record: string): void {
    this.#kept.push(record);
    this.#keptLength += record.length;
  }

  /** Whether a message is one to act on: not the second copy of one, nor about the counting itself. @throws on a gap */
  admits(message: ServerMessage, length: number): boolean {
    if (message.type === 8) {
      this.#acknowledge(message.sequenceId);
      return false;
    }
    if (message.type === 9) {
      if (message.sequenceId > this.#latestId + 1) throw new Error('missing messages');
      this.#nextId = message.sequenceId;
      this.#awaitsSequence = false;
      return false;
    }
    if (message.type < firstCounted || message.type > lastCounted) return true;
    if (this.#awaitsSequence) return false;
    // Also of a second copy: the server sends what it does not know to have come.
    this.#unacknowledged += length;
    const id = this.#nextId++;
    if (id <= this.#latestId) return false;
    this.#latestId = id;
    return true;
  }

  /** The word that all messages up to the latest have come. */
  acknowledgement(): string {
    this.#unacknowledged = 0;
    return writeRecord({ type: 8, sequenceId: this.#latestId });
  }

  /** The line is gone. The next one begins with the server's word which message it goes on with. */
  awaitSequence(): void {
    this.#awaitsSequence = true;
  }

  /** What to say first on the next line: with which message it goes on, and that and all later ones again. */
  replay(): string {
    return writeRecord({ type: 9, sequenceId: this.#firstId }) + this.#kept.join('');
  }

  #acknowledge(id: number): void {
    for (const record of this.#kept.splice(0, Math.max(0, id - this.#firstId + 1))) {
      this.#keptLength -= record.length;
      this.#firstId += 1;
    }
  }
}
