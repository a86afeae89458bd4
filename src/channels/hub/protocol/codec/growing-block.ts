const smallestCapacity = 256;

/** Bytes that come in pieces, copied into one growing block: a client that sends single bytes costs no more than their sum. */
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

  /** All of it with `rest` behind; the block is empty again. */
  complete(rest: Buffer): Buffer {
    if (this.#block === undefined) return rest;
    this.append(rest);
    const whole = this.#block.subarray(0, this.#length);
    this.#block = undefined;
    this.#length = 0;
    return whole;
  }
}
