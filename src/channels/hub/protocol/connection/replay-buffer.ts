interface KeptMessage {
  readonly record: string;
  readonly bytes: number;
}

/**
 * The messages to one client that it has not acknowledged, numbered from 1, so that they can be sent again over its next
 * socket. Those that are not sent yet wait behind them.
 */
export class ReplayBuffer {
  readonly #kept: KeptMessage[] = [];
  /** How many of the kept messages are on their way. */
  #sent = 0;
  #sentBytes = 0;
  #bytes = 0;
  #firstId = 1;

  /** The bytes of all kept messages. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The number of the first message that is kept; of the next one when there is none. */
  get firstId(): number {
    return this.#firstId;
  }

  add(record: string, bytes: number): void {
    this.#kept.push({ record, bytes });
    this.#bytes += bytes;
  }

  /** The messages to send next. There are none as soon as more than `maxBytes` are on their way. */
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

  /**
   * The client has every message up to this one. A client that acknowledges messages which were never sent is not
   * believed.
   */
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

  /** Nothing is on its way any more: `take` begins again at the first. */
  rewind(): void {
    this.#sent = 0;
    this.#sentBytes = 0;
  }
}
