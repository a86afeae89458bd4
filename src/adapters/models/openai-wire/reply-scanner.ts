import { type ReplyMeter, ReplyTooLarge } from '../reply-limits.ts';
import type { EscapedText } from './escaped-text.ts';
import { LineTemplate } from './line-template.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const dataField = Buffer.from('data:');

/** Takes what a scanner finds. Both functions are called synchronously and may throw. The error leaves `push`. */
export interface ScannedReply {
  /** Gets the text of every delta, known to be valid JSON string content. */
  readonly text: EscapedText;
  /** Called when there is new text, from one delta or from several in a row. */
  textAdded(): void;
  /** Called with any other `data:` line, without the field name. Returns the text when the line holds only a text delta. */
  data(json: string): string | undefined;
}

/**
 * Splits a stream of server-sent events into its data lines. It works on bytes, so reads may end anywhere. Text lines of a known form never
 * become a string or an object, so that a token costs as little as possible.
 */
export class ReplyScanner {
  readonly #reply: ScannedReply;
  readonly #maxLineBytes: number;
  readonly #meter: ReplyMeter;
  readonly #template = new LineTemplate();
  /** The unfinished line of the last read. Only the first `#tailLength` bytes count. */
  #tail: Buffer = Buffer.alloc(0);
  #tailLength = 0;
  /** The lines of data so far, of an event that has several of them. */
  #event = '';
  #isFirst = true;
  #endsLinesWithReturns = false;
  /** Whether text was found that has not been passed on. Many deltas of one read are passed on as one string. */
  #textFound = false;

  constructor(reply: ScannedReply, options: { readonly maxLineBytes: number; readonly meter: ReplyMeter }) {
    this.#reply = reply;
    this.#meter = options.meter;
    this.#maxLineBytes = options.maxLineBytes;
  }

  /** @throws ReplyTooLarge, and what the reply throws. */
  push(read: Buffer): void {
    const chunk = this.#endsLinesWithReturns ? withLineFeeds(read) : read;
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
      else this.#eventEnded();
      at = end + 1;
    }
    this.#passTextOn();
    if (at < chunk.length) this.#keep(chunk, at, chunk.length);
    if (this.#tailLength > 0 && !this.#endsLinesWithReturns) this.#lookForReturns();
  }

  /** To be called when the stream has ended. Reads a last line without a line feed. */
  end(): void {
    if (this.#tailLength > 0) this.push(Buffer.of(lineFeed));
    this.#eventEnded();
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

  /** Returns where the next line begins. -1 when the line at `at` is not a text line of the known form. */
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

  /** `end` is the position behind the line feed. */
  #otherLine(bytes: Buffer, start: number, end: number): void {
    this.#checkLine(end - start);
    const begin = this.#isFirst ? start + markLength(bytes, start) : start;
    this.#isFirst = false;
    const to = bytes[end - 2] === carriageReturn ? end - 2 : end - 1;
    if (to <= begin) this.#eventEnded();
    if (bytes.compare(dataField, 0, dataField.length, begin, Math.min(begin + dataField.length, end)) !== 0) return;
    let from = begin + dataField.length;
    if (bytes[from] === space) from += 1;
    if (to <= from) return;
    this.#passTextOn();
    const data = bytes.toString('utf8', from, to);
    if (this.#event !== '' || isHalf(data)) {
      this.#event += `${data}\n`;
      this.#checkLine(this.#event.length);
      return;
    }
    const text = this.#reply.data(data);
    if (text !== undefined) this.#template.learn(bytes.subarray(start, end), text);
  }

  /** An event whose data has several lines is whole. */
  #eventEnded(): void {
    const event = this.#event;
    if (event === '') return;
    this.#event = '';
    this.#reply.data(event.trimEnd());
  }

  /** Some servers end their lines with a carriage return alone. JSON has none that is not escaped. */
  #lookForReturns(): void {
    const tail = this.#tail.subarray(0, this.#tailLength);
    const at = tail.indexOf(carriageReturn);
    if (at < 0 || at === tail.length - 1) return;
    this.#endsLinesWithReturns = true;
    const held = Buffer.from(tail);
    this.#tailLength = 0;
    this.#meter.holdLine(0);
    this.push(held);
  }
}

/** The length of the byte order mark at `at`. */
function markLength(bytes: Buffer, at: number): number {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf ? 3 : 0;
}

/** Whether these are the first lines of a longer text of JSON. */
function isHalf(data: string): boolean {
  return data.startsWith('{') && !data.trimEnd().endsWith('}');
}

/** A copy whose lines end with line feeds alone. */
function withLineFeeds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte === carriageReturn ? lineFeed : byte)));
}

/** A copy of the bytes with room for `length`. */
function grown(bytes: Buffer, length: number, used: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(length, 2 * bytes.length, 1024));
  bytes.copy(larger, 0, 0, used);
  return larger;
}
