/**
 * The text of a reply while it is put together, JSON-escaped. It is kept as bytes in one piece. With one string for each delta, the garbage
 * collector would have to move all these strings until the reply ends.
 */
export class EscapedText {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  /** The bytes before this position are kept. */
  #kept = 0;
  /** The bytes before this position were taken. */
  #taken = 0;

  /** How many bytes were added since the last `keepNew`. */
  get newBytes(): number {
    return this.#length - this.#kept;
  }

  /** What was added so far may be taken. */
  keepNew(): void {
    this.#kept = this.#length;
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    this.#makeRoom(end - start);
    // Each call adds only a few bytes, so a loop is cheaper than a call out of JavaScript.
    for (let at = start; at < end; at += 1) this.#bytes[this.#length++] = bytes[at] ?? 0;
  }

  addString(escaped: string): void {
    // A UTF-16 unit takes at most three bytes.
    this.#makeRoom(3 * escaped.length);
    this.#length += this.#bytes.write(escaped, this.#length);
  }

  /** The kept text since the last call. */
  takeNew(): string {
    if (this.#taken === this.#kept) return '';
    const text = this.#bytes.toString('utf8', this.#taken, this.#kept);
    this.#taken = this.#kept;
    return text;
  }

  /** The whole text that was taken, unescaped. */
  unescaped(): string {
    const text: unknown = JSON.parse(`"${this.#bytes.toString('utf8', 0, this.#taken)}"`);
    return typeof text === 'string' ? text : '';
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length, 256));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
