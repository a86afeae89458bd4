const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The most commas of a message, or of a list of messages, by how deep they stand. What is deeper has limits of its own. */
const mostCommas = [0, 100, 1_000] as const;

/** The most members of one object, and the most levels. Of a result that has more, a model is shown some, but all have to be read first. */
const mostMembers = 20_000;
const mostLevels = 500;

/**
 * Watches how wide a message is while its bytes come, before anybody reads it: the SDK takes every message of a list, and says of every
 * member that it does not know that it does not, all in one go.
 */
export class MessageShape {
  /** The members so far of each object that is open; of a list none. */
  #open: number[] = [];
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
    else if (opening.has(byte)) return this.#open.push(0) > mostLevels;
    else if (closing.has(byte)) this.#open.pop();
    else if (byte === comma) return this.#countComma();
    else if (byte === colon) return this.#countMember();
    return false;
  }

  /** The next byte is that of another message. */
  reset(): void {
    this.#open = [];
    this.#commas = [0, 0, 0];
    this.#isText = false;
    this.#isEscaped = false;
  }

  #countComma(): boolean {
    const { length: level } = this.#open;
    const most = mostCommas[level];
    if (most === undefined) return false;
    const count = (this.#commas[level] ?? 0) + 1;
    this.#commas[level] = count;
    return count > most;
  }

  #countMember(): boolean {
    const members = (this.#open.pop() ?? 0) + 1;
    this.#open.push(members);
    return members > mostMembers;
  }
}
