/** How large a reply may become (contract/models.md). */
export interface ReplyLimits {
  /** Of one line as the model sends it. */
  readonly maxLineBytes: number;
  /** Of the text and the tool calls of one reply. */
  readonly maxReplyBytes: number;
}

/** As many replies of the longest allowed kind as a small container has room for. */
const defaultMemoryBytes = 128 * 1024 * 1024;
/** A reply takes its share of the memory in steps: most replies need one or two. */
const stepBytes = 4 * 1024;

/** The model sent more than it may. The message names the limit. */
export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge';
}

/** What all replies that are under way may hold together, however many there are. */
export class ReplyMemory {
  readonly #bytes: number;
  #taken = 0;

  constructor(bytes = defaultMemoryBytes) {
    this.#bytes = bytes;
  }

  /** @throws ReplyTooLarge when there is no room for so many more bytes. */
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

/** Counts what one reply holds. `release` MUST be called once when the call is over. */
export class ReplyMeter {
  readonly #memory: ReplyMemory;
  readonly #maxReplyBytes: number;
  #kept = 0;
  #line = 0;
  #taken = 0;
  #released = false;

  constructor(options: { readonly memory: ReplyMemory; readonly maxReplyBytes: number }) {
    this.#memory = options.memory;
    this.#maxReplyBytes = options.maxReplyBytes;
  }

  /** Counts a further piece of the reply. @throws ReplyTooLarge. */
  keep(bytes: number): void {
    this.#kept += bytes;
    if (this.#kept > this.#maxReplyBytes) {
      throw new ReplyTooLarge(`the reply is longer than ${String(this.#maxReplyBytes)} bytes (maxReplyBytes)`);
    }
    this.#cover();
  }

  /** Says how many bytes of a line that has not ended are held. @throws ReplyTooLarge. */
  holdLine(bytes: number): void {
    this.#line = bytes;
    this.#cover();
  }

  /** Gives back all that this reply has taken. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#memory.give(this.#taken);
  }

  #cover(): void {
    const missing = this.#kept + this.#line - this.#taken;
    if (missing <= 0 || this.#released) return;
    const step = Math.ceil(missing / stepBytes) * stepBytes;
    this.#memory.take(step);
    this.#taken += step;
  }
}

/** Bytes of a text in UTF-8; none for one that is missing. */
export function byteLength(text: string | undefined): number {
  return text === undefined ? 0 : Buffer.byteLength(text);
}
