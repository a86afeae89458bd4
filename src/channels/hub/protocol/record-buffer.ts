const separator = 0x1e;
const smallestCapacity = 256;

/** A message from the client is larger than allowed. */
export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';
}

/**
 * Cuts incoming bytes into records at 0x1E. Frames may hold several records, and a record may come in several frames.
 * What is incomplete is copied into one growing block, so that a client sending single bytes costs no more than their sum.
 */
export class RecordBuffer {
  readonly #maxBytes: number;
  #block: Buffer | undefined;
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The records that `chunk` completes, without separators. @throws MessageTooLarge when it gets to one over the limit */
  *take(chunk: Buffer): Generator<Buffer> {
    let start = 0;
    for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
      yield this.#complete(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #complete(rest: Buffer): Buffer {
    if (this.#block === undefined) {
      this.#check(rest.length);
      return rest;
    }
    this.#keep(rest);
    const record = this.#block.subarray(0, this.#length);
    this.#block = undefined;
    this.#length = 0;
    return record;
  }

  #keep(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    this.#check(length);
    if (this.#block === undefined || this.#block.length < length) {
      const larger = Buffer.allocUnsafe(Math.max(smallestCapacity, length, this.#length * 2));
      this.#block?.copy(larger, 0, 0, this.#length);
      this.#block = larger;
    }
    bytes.copy(this.#block, this.#length);
    this.#length = length;
  }

  #check(length: number): void {
    if (length > this.#maxBytes) throw new MessageTooLarge();
  }
}
