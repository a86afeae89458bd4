import { type ReplyMeter, ReplyTooLarge } from '../reply-limits.ts';
import type { EscapedText } from './escaped-text.ts';
import { LineTemplate } from './line-template.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const dataField = Buffer.from('data:');

/** Takes what a scanner finds. Both functions are called synchronously and may throw: the throw leaves `push`. */
export interface ScannedReply {
  /** Gets the text of every delta, known to be valid JSON string content. */
  readonly text: EscapedText;
  /** There is new text, of one delta or of several in a row. */
  textAdded(): void;
  /** Any other `data:` line, without the field name. Returns the text when the line held a text delta and nothing else. */
  data(json: string): string | undefined;
}

/**
 * Cuts a stream of server-sent events into its data lines, on bytes, whatever the reads' boundaries are. Text lines of a
 * known form never become a string or an object (notes on speed: a token must cost what a byte pipe costs).
 */
export class ReplyScanner {
  readonly #reply: ScannedReply;
  readonly #maxLineBytes: number;
  readonly #meter: ReplyMeter;
  readonly #template = new LineTemplate();
  /** The begun line of the last read; only the first `#tailLength` bytes count. */
  #tail: Buffer = Buffer.alloc(0);
  #tailLength = 0;
  /** Whether text was found and not yet passed on, so that many deltas of one read become one string. */
  #textFound = false;

  constructor(reply: ScannedReply, options: { readonly maxLineBytes: number; readonly meter: ReplyMeter }) {
    this.#reply = reply;
    this.#meter = options.meter;
    this.#maxLineBytes = options.maxLineBytes;
  }

  /** @throws ReplyTooLarge, and what the reply throws. */
  push(chunk: Buffer): void {
    let at = this.#tailLength === 0 ? 0 : this.#completeTail(chunk);
    while (at < chunk.length) {
      const next = this.#knownLine(chunk, at);
      if (next >= 0) {
        at = next;
        continue;
      }
      const end = chunk.indexOf(lineFeed, at);
      if (end < 0) break;
      if (end > at) this.#otherLine(chunk, at, end + 1);
      at = end + 1;
    }
    this.#passTextOn();
    if (at < chunk.length) this.#keep(chunk, at, chunk.length);
  }

  /** The stream has ended: reads a last line that has no line feed. */
  end(): void {
    if (this.#tailLength > 0) this.push(Buffer.of(lineFeed));
  }

  /** Returns where the next line begins in `chunk`. */
  #completeTail(chunk: Buffer): number {
    const end = chunk.indexOf(lineFeed);
    this.#keep(chunk, 0, end < 0 ? chunk.length : end + 1);
    if (end < 0) return chunk.length;
    const line = this.#tail.subarray(0, this.#tailLength);
    this.#tailLength = 0;
    this.#meter.holdLine(0);
    if (this.#knownLine(line, 0) < 0) this.#otherLine(line, 0, line.length);
    return end + 1;
  }

  /** Returns where the line after it begins; -1 when the line at `at` is not a text line of the known form. */
  #knownLine(bytes: Buffer, at: number): number {
    const match = this.#template.match(bytes, at);
    if (match === undefined) return -1;
    this.#checkLine(match.next - at);
    this.#reply.text.add(bytes, match.textStart, match.textEnd);
    this.#textFound = true;
    return match.next;
  }

  #passTextOn(): void {
    if (!this.#textFound) return;
    this.#textFound = false;
    this.#reply.textAdded();
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const length = this.#tailLength + end - start;
    this.#checkLine(length);
    this.#meter.holdLine(length);
    if (length > this.#tail.length) this.#tail = grown(this.#tail, length, this.#tailLength);
    chunk.copy(this.#tail, this.#tailLength, start, end);
    this.#tailLength = length;
  }

  #checkLine(length: number): void {
    if (length <= this.#maxLineBytes) return;
    throw new ReplyTooLarge(`a line of the reply is longer than ${String(this.#maxLineBytes)} bytes (maxLineBytes)`);
  }

  /** `end` is behind the line feed. */
  #otherLine(bytes: Buffer, start: number, end: number): void {
    this.#checkLine(end - start);
    if (bytes.compare(dataField, 0, dataField.length, start, Math.min(start + dataField.length, end)) !== 0) return;
    let from = start + dataField.length;
    if (bytes[from] === space) from += 1;
    const to = bytes[end - 2] === carriageReturn ? end - 2 : end - 1;
    if (to <= from) return;
    this.#passTextOn();
    const text = this.#reply.data(bytes.toString('utf8', from, to));
    if (text !== undefined) this.#template.learn(bytes.subarray(start, end), text);
  }
}

/** The same bytes with room for `length`. */
function grown(bytes: Buffer, length: number, used: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(length, 2 * bytes.length, 1024));
  bytes.copy(larger, 0, 0, used);
  return larger;
}
