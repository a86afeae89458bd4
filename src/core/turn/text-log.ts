const none = new Uint32Array(0);
/** Pieces that are moved together. */
const batch = 16;

/**
 * The pieces of a turn's text, kept as bytes outside the JavaScript heap: a turn that trickles in over seconds would
 * otherwise leave hundreds of small strings for the garbage collector to carry around, and every other turn with them.
 */
export class TextLog {
  /** The newest pieces, not yet moved: short turns never need bytes at all. */
  #recent: string[] = [];
  #bytes: Buffer | undefined;
  /** Where each moved piece ends in `#bytes`. */
  #ends = none;
  #moved = 0;

  append(piece: string): void {
    this.#recent.push(piece);
    if (this.#recent.length === batch) this.#move();
  }

  /** The piece at `index`, counted from 0; empty when there is none. */
  piece(index: number): string {
    if (index >= this.#moved) return this.#recent[index - this.#moved] ?? '';
    return this.#bytes?.toString('utf8', this.#end(index - 1), this.#end(index)) ?? '';
  }

  /** All pieces together. */
  text(): string {
    const moved = this.#bytes?.toString('utf8', 0, this.#end(this.#moved - 1)) ?? '';
    return moved + this.#recent.join('');
  }

  #move(): void {
    let end = this.#end(this.#moved - 1);
    // A UTF-16 unit takes at most three bytes.
    const needed = end + 3 * this.#recent.reduce((length, piece) => length + piece.length, 0);
    const bytes = grown(this.#bytes, needed, end);
    const ends = withRoom(this.#ends, this.#moved + batch);
    for (const piece of this.#recent) {
      end += bytes.write(piece, end, 'utf8');
      ends[this.#moved] = end;
      this.#moved += 1;
    }
    this.#bytes = bytes;
    this.#ends = ends;
    this.#recent = [];
  }

  #end(index: number): number {
    return index < 0 ? 0 : (this.#ends[index] ?? 0);
  }
}

/** The bytes with room for `needed`, at least doubled so that each byte is copied a few times at most. */
function grown(bytes: Buffer | undefined, needed: number, used: number): Buffer {
  if (bytes !== undefined && bytes.length >= needed) return bytes;
  const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * (bytes?.length ?? 0), 512));
  bytes?.copy(larger, 0, 0, used);
  return larger;
}

function withRoom(ends: Uint32Array<ArrayBuffer>, needed: number): Uint32Array<ArrayBuffer> {
  if (ends.length >= needed) return ends;
  const larger = new Uint32Array(Math.max(needed, 2 * ends.length));
  larger.set(ends);
  return larger;
}
