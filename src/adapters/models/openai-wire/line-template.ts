import { endOfJsonString } from './json-string-bytes.ts';

const contentKey = Buffer.from('"delta":{"content":"');
const obfuscationKey = Buffer.from('"obfuscation":"');
const endOfDelta = 0x7d;
const maxLearnedLines = 64;

/** A line that differs from a known line only in its text. Says where the text stands and where the next line begins. */
export interface TemplateMatch {
  textStart: number;
  textEnd: number;
  next: number;
}

/**
 * Recognises the next text line of a reply by its bytes. The lines of one reply differ only in their text. So a line that JSON.parse has
 * read once is the template for the following lines: they have the same bytes before and after the text. OpenAI's own servers vary one
 * field behind the text, `obfuscation`; its value is skipped.
 */
export class LineTemplate {
  #before: Buffer | undefined;
  #after: Buffer = Buffer.alloc(0);
  /** The bytes behind the text up to the value of `obfuscation`. Undefined: the lines have no such field. */
  #afterUpToObfuscation: Buffer | undefined;
  #learned = 0;
  readonly #match: TemplateMatch = { textStart: 0, textEnd: 0, next: 0 };

  /** Undefined when the line at `at` has another form or is not complete. A match is valid until the next call. */
  match(bytes: Buffer, at: number): TemplateMatch | undefined {
    const before = this.#before;
    if (before === undefined || !holds(bytes, at, before)) return undefined;
    const textStart = at + before.length;
    const textEnd = endOfJsonString(bytes, textStart);
    if (textEnd < 0) return undefined;
    const next = this.#endOfLine(bytes, textEnd);
    if (next < 0) return undefined;
    this.#match.textStart = textStart;
    this.#match.textEnd = textEnd;
    this.#match.next = next;
    return this.#match;
  }

  /**
   * Makes a complete line (with its line feed) the template. The caller MUST have parsed the line and found nothing in it but `text`. In a
   * reply whose lines are all different, learning ends after some lines.
   */
  learn(line: Buffer, text: string): void {
    if (this.#learned >= maxLearnedLines) return;
    const key = line.indexOf(contentKey);
    if (key < 0) return;
    const textStart = key + contentKey.length;
    const textEnd = endOfJsonString(line, textStart);
    if (textEnd < 0 || line[textEnd + 1] !== endOfDelta) return;
    if (JSON.parse(`"${line.toString('utf8', textStart, textEnd)}"`) !== text) return;
    this.#learned += 1;
    this.#before = Buffer.from(line.subarray(0, textStart));
    this.#after = Buffer.from(line.subarray(textEnd));
    const obfuscation = this.#after.indexOf(obfuscationKey);
    this.#afterUpToObfuscation =
      obfuscation < 0 ? undefined : this.#after.subarray(0, obfuscation + obfuscationKey.length);
  }

  #endOfLine(bytes: Buffer, textEnd: number): number {
    if (this.#afterUpToObfuscation !== undefined)
      return endAfterObfuscation(bytes, textEnd, this.#afterUpToObfuscation);
    return holds(bytes, textEnd, this.#after) ? textEnd + this.#after.length : -1;
  }
}

function holds(bytes: Buffer, at: number, expected: Buffer): boolean {
  const end = at + expected.length;
  return end <= bytes.length && bytes.compare(expected, 0, expected.length, at, end) === 0;
}

/** The end of a line with `…"obfuscation":"x7Yq"}` behind its text. The line may end with a carriage return or without one. */
function endAfterObfuscation(bytes: Buffer, textEnd: number, expected: Buffer): number {
  if (!holds(bytes, textEnd, expected)) return -1;
  const valueEnd = endOfJsonString(bytes, textEnd + expected.length);
  if (valueEnd < 0 || bytes[valueEnd + 1] !== endOfDelta) return -1;
  const lineEnd = bytes[valueEnd + 2] === 0x0d ? valueEnd + 3 : valueEnd + 2;
  return bytes[lineEnd] === 0x0a ? lineEnd + 1 : -1;
}
