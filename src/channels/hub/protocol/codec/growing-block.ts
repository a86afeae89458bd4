const smallestCapacity = 256;

/**
 * Collects bytes that come in pieces into one growing block. A client that sends single bytes makes the server hold no more than their sum.
 */
export class GrowingBlock {
  #block: Buffer | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (this.#block === undefined || this.#block.length < length) {
      const larger = Buffer.allocUnsafe(Math.max(smallestCapacity, length, this.#length * 2));
      this.#block?.copy(larger, 0, 0, this.#length);
      this.#block = larger;
    }
    bytes.copy(this.#block, this.#length);
    this.#length = length;
  }

  /** Returns the collected bytes followed by `rest`, and empties the block. */
  complete(rest: Buffer): Buffer {
    if (this.#block === undefined) return rest;
    this.append(rest);
    const whole = this.#block.subarray(0, this.#length);
    this.#block = undefined;
    this.#length = 0;
    return whole;
  }
}
