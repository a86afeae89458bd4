const none = new Uint32Array(0);
/** The number of pieces that are joined into one string. */
const batch = 16;

/**
 * The pieces of a turn's text. Several pieces at a time are joined. Otherwise a turn that trickles in over seconds
 * would leave hundreds of small strings, and the garbage collector would carry them around at the cost of every other
 * turn.
 */
export class TextLog {
  /** The newest pieces, not yet joined. */
  #recent: string[] = [];
  #recentCount = 0;
  readonly #joined: string[] = [];
  /** Where each piece ends in the whole text. */
  #ends = none;
  #count = 0;

  append(piece: string): void {
    const end = this.#end(this.#count - 1) + piece.length;
    if (this.#count === this.#ends.length) this.#ends = doubled(this.#ends);
    this.#ends[this.#count] = end;
    this.#count += 1;
    this.#recent[this.#recentCount] = piece;
    this.#recentCount += 1;
    if (this.#recentCount === batch) this.#join();
  }

  /** The piece at `index`, counted from 0; empty when there is none. */
  piece(index: number): string {
    if (index < 0 || index >= this.#count) return '';
    const batchIndex = Math.floor(index / batch);
    const joined = this.#joined[batchIndex];
    if (joined === undefined) return this.#recent[index - batchIndex * batch] ?? '';
    const start = this.#end(batchIndex * batch - 1);
    return joined.slice(this.#end(index - 1) - start, this.#end(index) - start);
  }

  /** How many pieces there are. */
  get count(): number {
    return this.#count;
  }

  /** The text of the pieces from the one at `from` to the one before `to`. */
  textBetween(from: number, to: number): string {
    if (from === 0 && to === this.#count) return this.text();
    return this.text().slice(this.#end(from - 1), this.#end(to - 1));
  }

  /** How long the pieces from the one at `from` on are together. */
  lengthAfter(from: number): number {
    return this.#end(this.#count - 1) - this.#end(from - 1);
  }

  /** All pieces together. */
  text(): string {
    return this.#joined.join('') + this.#recent.join('');
  }

  #join(): void {
    this.#joined.push(this.#recent.join(''));
    this.#recent = [];
    this.#recentCount = 0;
  }

  #end(index: number): number {
    return index < 0 ? 0 : (this.#ends[index] ?? 0);
  }
}

function doubled(ends: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(batch, 2 * ends.length));
  larger.set(ends);
  return larger;
}
