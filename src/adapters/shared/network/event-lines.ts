const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** What a field of an event stream looks like. The value of `retry` is a number. */
const field = /^(?:(?:data|event|id)(?::|$)|retry:\s*\d+$)/;
/** More of a line than the pattern reads of it. */
const readOfLine = 32;

/**
 * Makes an event stream of a stranger cheap to parse: whole lines, each ended by a line feed, and only those that say something. Parsers of
 * SDKs look at the whole buffer for each piece of a line and for each kind of line end, and make an error of each line that they do not know,
 * so a stream that floods with such would hold the process for seconds. What is held back is as long as one line; the caller bounds it.
 */
export class EventLines {
  /** The line that has not ended. It is copied: a chunk of one byte may hold the memory of a large one. */
  #held = Buffer.alloc(0);
  #length = 0;
  #isFirst = true;
  #isAfterReturn = false;

  /** Bytes of the line that has not ended. */
  get heldBytes(): number {
    return this.#length;
  }

  /** The lines that this chunk has ended. May be empty. */
  take(chunk: Uint8Array): Uint8Array {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const ended: Buffer[] = [];
    let start = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (byte !== lineFeed && byte !== carriageReturn) {
        this.#isAfterReturn = false;
        continue;
      }
      // A carriage return and a line feed end one line together.
      if (byte === carriageReturn || !this.#isAfterReturn) this.#end(bytes.subarray(start, index), ended);
      this.#isAfterReturn = byte === carriageReturn;
      start = index + 1;
    }
    this.#hold(bytes.subarray(start));
    return Buffer.concat(ended);
  }

  /** What came after the last line end, once the stream is over. */
  rest(): Uint8Array {
    const ended: Buffer[] = [];
    if (this.#length > 0) this.#end(Buffer.alloc(0), ended);
    return Buffer.concat(ended);
  }

  #end(last: Buffer, ended: Buffer[]): void {
    let line = this.#completed(last);
    if (this.#isFirst && line.subarray(0, byteOrderMark.length).equals(byteOrderMark))
      line = line.subarray(byteOrderMark.length);
    this.#isFirst = false;
    if (line.length > 0 && !field.test(line.toString('latin1', 0, readOfLine))) return;
    ended.push(line, lineEnd);
  }

  #completed(last: Buffer): Buffer {
    if (this.#length === 0) return last;
    this.#hold(last);
    const line = this.#held.subarray(0, this.#length);
    this.#held = Buffer.alloc(0);
    this.#length = 0;
    return line;
  }

  #hold(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#held.length));
      this.#held.copy(larger, 0, 0, this.#length);
      this.#held = larger;
    }
    piece.copy(this.#held, this.#length);
    this.#length = length;
  }
}

const lineEnd = Buffer.from([lineFeed]);
