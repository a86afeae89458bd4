import { type ReplyMeter, ReplyTooLarge } from '../reply-limits.ts';
import type { ReplyAssembler } from './reply-assembler.ts';
import { ReplyScanner } from './reply-scanner.ts';

const space = 0x20;
const bracket = 0x5b;
const brace = 0x7b;
/** A byte order mark has bytes from here on. */
const beyondAscii = 0x80;

/** Reads the body of an answer: a stream of events, or one JSON document in its place. */
export class AnswerReader {
  readonly #assembler: ReplyAssembler;
  readonly #scanner: ReplyScanner;
  readonly #meter: ReplyMeter;
  readonly #maxReplyBytes: number;
  #isUndecided = true;
  #document: Buffer[] | undefined;
  #length = 0;

  constructor(
    assembler: ReplyAssembler,
    options: { readonly maxLineBytes: number; readonly maxReplyBytes: number; readonly meter: ReplyMeter },
  ) {
    this.#assembler = assembler;
    this.#meter = options.meter;
    this.#maxReplyBytes = options.maxReplyBytes;
    this.#scanner = new ReplyScanner(assembler, options);
  }

  /** @throws ReplyTooLarge, and what the assembler throws. */
  push(chunk: Buffer): void {
    if (this.#isUndecided) this.#decide(chunk);
    if (this.#document === undefined) this.#scanner.push(chunk);
    else this.#hold(this.#document, chunk);
  }

  /** To be called when the answer has ended. @throws as `push` does. */
  end(): void {
    this.#scanner.end();
    if (this.#document !== undefined) this.#assembler.whole(Buffer.concat(this.#document).toString('utf8'));
  }

  /** The first byte tells a document from a stream, whose lines begin with the name of a field. */
  #decide(chunk: Buffer): void {
    const first = chunk.find((byte) => byte > space && byte < beyondAscii);
    if (first === undefined) return;
    this.#isUndecided = false;
    if (first === brace || first === bracket) this.#document = [];
  }

  #hold(document: Buffer[], chunk: Buffer): void {
    this.#length += chunk.length;
    this.#meter.holdLine(this.#length);
    if (this.#length > this.#maxReplyBytes)
      throw new ReplyTooLarge(`the reply is longer than ${String(this.#maxReplyBytes)} bytes (maxReplyBytes)`);
    document.push(chunk);
  }
}
