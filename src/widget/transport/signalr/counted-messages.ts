import { type ServerMessage, writeRecord } from './hub-messages.ts';

/** The types of message that both sides count, from 1. */
const firstCounted = 1;
const lastCounted = 5;

/**
 * What stateful reconnect needs to know about a connection: the messages that the server has not acknowledged, and the number of the last
 * message from the server.
 */
export class CountedMessages {
  #kept: string[] = [];
  #keptLength = 0;
  /** The number of the first kept message. When no message is kept, the number of the next message. */
  #firstId = 1;
  /** The number of the next message from the server. `#latestId` is the largest number so far. */
  #nextId = 1;
  #latestId = 0;
  #unacknowledged = 0;
  #awaitsSequence = false;

  /** The number of kept characters. */
  get length(): number {
    return this.#keptLength;
  }

  /** The number of received characters that were not acknowledged yet. */
  get unacknowledged(): number {
    return this.#unacknowledged;
  }

  /** Keeps a sent message until the server acknowledges it. */
  keep(record: string): void {
    this.#kept.push(record);
    this.#keptLength += record.length;
  }

  /**
   * Whether to act on a message. False for a second copy, and for messages about the counting itself.
   * @throws Error on a gap.
   */
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
    // A second copy counts as well. The server sends it because the first copy was not acknowledged.
    this.#unacknowledged += length;
    const id = this.#nextId++;
    if (id <= this.#latestId) return false;
    this.#latestId = id;
    return true;
  }

  /** The acknowledgement of all messages up to the latest. */
  acknowledgement(): string {
    this.#unacknowledged = 0;
    return writeRecord({ type: 8, sequenceId: this.#latestId });
  }

  /** The line is lost. The server begins the next line with the number of the message with which it continues. */
  awaitSequence(): void {
    this.#awaitsSequence = true;
  }

  /** What to send first on the next line: the number of the first kept message, and all kept messages again. */
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
