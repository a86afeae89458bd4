interface KeptMessage {
  readonly record: string;
  readonly bytes: number;
}

/**
 * The messages to one client that it has not acknowledged, numbered from 1. They can be sent again over its next socket. Messages that were
 * not sent yet are kept after them.
 */
export class ReplayBuffer {
  readonly #kept: KeptMessage[] = [];
  /** The number of kept messages that were sent. */
  #sent = 0;
  #sentBytes = 0;
  #bytes = 0;
  #firstId = 1;

  /** The bytes of all kept messages. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of the first kept message. When none is kept, the number of the next message. */
  get firstId(): number {
    return this.#firstId;
  }

  add(record: string, bytes: number): void {
    this.#kept.push({ record, bytes });
    this.#bytes += bytes;
  }

  /** The messages to send next. None when more than `maxBytes` of sent messages are not acknowledged. */
  take(maxBytes: number): string {
    let records = '';
    for (let next = this.#kept[this.#sent]; next !== undefined; next = this.#kept[this.#sent]) {
      if (this.#sentBytes > maxBytes) break;
      records += next.record;
      this.#sentBytes += next.bytes;
      this.#sent += 1;
    }
    return records;
  }

  /** Called when the client acknowledges every message up to this one. Acknowledgements of messages that were never sent are ignored. */
  acknowledge(id: number): void {
    const count = Math.min(id - this.#firstId + 1, this.#sent);
    if (count <= 0) return;
    for (const { bytes } of this.#kept.splice(0, count)) {
      this.#bytes -= bytes;
      this.#sentBytes -= bytes;
    }
    this.#sent -= count;
    this.#firstId += count;
  }

  /** Counts all kept messages as not sent: `take` begins again with the first one. */
  rewind(): void {
    this.#sent = 0;
    this.#sentBytes = 0;
  }
}
