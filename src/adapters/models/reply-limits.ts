/** How large a reply may become (contract/models.md). */
export interface ReplyLimits {
  /** The most bytes of one line as the model sends it. */
  readonly maxLineBytes: number;
  /** The most bytes of the text and the tool calls of one reply. */
  readonly maxReplyBytes: number;
}

/** The memory that a small container has for replies of the greatest length. */
const defaultMemoryBytes = 128 * 1024 * 1024;
/** A reply takes its share of the memory in steps of this size. Most replies need one or two steps. */
const stepBytes = 4 * 1024;

/** The model sent more than it may. The message names the limit. */
export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge';
}

/** The memory that all replies under way may hold together. */
export class ReplyMemory {
  readonly #bytes: number;
  #taken = 0;

  constructor(bytes = defaultMemoryBytes) {
    this.#bytes = bytes;
  }

  /** @throws ReplyTooLarge when there is no room for this many more bytes. */
  take(bytes: number): void {
    if (this.#taken + bytes > this.#bytes) {
      throw new ReplyTooLarge(`the replies under way would hold more than ${String(this.#bytes)} bytes together`);
    }
    this.#taken += bytes;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** Counts the bytes that one reply holds. `release` MUST be called once when the call is over. */
export class ReplyMeter {
  readonly #memory: ReplyMemory;
  readonly #maxReplyBytes: number;
  readonly #onRead: ((bytes: number) => void) | undefined;
  #kept = 0;
  #beside = 0;
  #line = 0;
  #taken = 0;
  #released = false;

  /** `onRead` is told of each further piece. */
  constructor(options: {
    readonly memory: ReplyMemory;
    readonly maxReplyBytes: number;
    readonly onRead?: ((bytes: number) => void) | undefined;
  }) {
    this.#memory = options.memory;
    this.#maxReplyBytes = options.maxReplyBytes;
    this.#onRead = options.onRead;
  }

  /** Counts a further piece of the reply. @throws ReplyTooLarge. */
  keep(bytes: number): void {
    this.#kept += bytes;
    this.#onRead?.(bytes);
    if (this.#kept > this.#maxReplyBytes) {
      throw new ReplyTooLarge(`the reply is longer than ${String(this.#maxReplyBytes)} bytes (maxReplyBytes)`);
    }
    this.#cover();
  }

  /** Counts what is kept beside the reply. It takes memory, but is no part of the reply's length. @throws ReplyTooLarge. */
  keepBeside(bytes: number): void {
    this.#beside += bytes;
    this.#cover();
  }

  /** Notes how many bytes of an unfinished line are held. @throws ReplyTooLarge. */
  holdLine(bytes: number): void {
    this.#line = bytes;
    this.#cover();
  }

  /** Gives back all memory that this reply has taken. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#memory.give(this.#taken);
  }

  #cover(): void {
    const missing = this.#kept + this.#beside + this.#line - this.#taken;
    if (missing <= 0 || this.#released) return;
    const step = Math.ceil(missing / stepBytes) * stepBytes;
    this.#memory.take(step);
    this.#taken += step;
  }
}

/** The number of bytes of a text in UTF-8. 0 for a missing text. */
export function byteLength(text: string | undefined): number {
  return text === undefined ? 0 : Buffer.byteLength(text);
}
