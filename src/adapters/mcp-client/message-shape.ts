const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The most commas of a message, or of a list of messages, by how deep they stand. What is deeper has limits of its own. */
const mostCommas = [0, 100, 1_000] as const;

/**
 * Watches how wide a message is while its bytes come, before anybody reads it: the SDK takes every message of a list, and says of every
 * member that it does not know that it does not, all in one go.
 */
export class MessageShape {
  #depth = 0;
  #commas = [0, 0, 0];
  #isText = false;
  #isEscaped = false;

  /** Whether the message is wider than any honest one, with these bytes. */
  isTooWide(bytes: Uint8Array): boolean {
    for (const byte of bytes) if (this.take(byte)) return true;
    return false;
  }

  /** The same for one byte. */
  take(byte: number): boolean {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isText = false;
      return false;
    }
    if (byte === quote) this.#isText = true;
    else if (opening.has(byte)) this.#depth += 1;
    else if (closing.has(byte)) this.#depth -= 1;
    else if (byte === comma) return this.#countComma();
    return false;
  }

  /** The next byte is that of another message. */
  reset(): void {
    this.#depth = 0;
    this.#commas = [0, 0, 0];
    this.#isText = false;
    this.#isEscaped = false;
  }

  #countComma(): boolean {
    const most = mostCommas[this.#depth];
    if (most === undefined) return false;
    const count = (this.#commas[this.#depth] ?? 0) + 1;
    this.#commas[this.#depth] = count;
    return count > most;
  }
}
