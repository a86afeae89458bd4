import { GrowingBlock } from './growing-block.ts';
import { type MessageReader, MessageTooLarge } from './message-reader.ts';

const separator = 0x1e;

/** Cuts incoming bytes into records at 0x1E. Frames may hold several records, and a record may come in several frames. */
export class RecordBuffer implements MessageReader {
  readonly #maxBytes: number;
  readonly #block = new GrowingBlock();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get held(): number {
    return this.#block.length;
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

  /** The first record that `chunk` completes, and the bytes behind it. @throws MessageTooLarge */
  takeFirst(chunk: Buffer): { readonly record: Buffer; readonly rest: Buffer } | undefined {
    const end = chunk.indexOf(separator);
    if (end !== -1) return { record: this.#complete(chunk.subarray(0, end)), rest: chunk.subarray(end + 1) };
    this.#keep(chunk);
    return undefined;
  }

  #complete(rest: Buffer): Buffer {
    this.#check(rest);
    return this.#block.complete(rest);
  }

  #keep(bytes: Buffer): void {
    this.#check(bytes);
    this.#block.append(bytes);
  }

  #check(bytes: Buffer): void {
    if (this.#block.length + bytes.length > this.#maxBytes) throw new MessageTooLarge();
  }
}
