import { cosineOf, wordsFor } from '../../../../../core/base/small-vector.ts';

/** A chunk that has a vector. */
export interface ScannedChunk {
  readonly chunk: number;
  readonly audience: number;
  /** The id of its vector. */
  readonly vector: number;
  readonly norm: number;
  readonly signs: Uint8Array;
  /** Null: the numbers stay on the disk. */
  readonly numbers: Uint8Array | null;
}

/** The size of an index, and where its numbers are. */
interface ScanSize {
  readonly chunks: number;
  readonly dimensions: number;
  /** Reads the numbers of a vector that are not in memory. Left out: all numbers are in memory. */
  readonly numbersOf?: (vector: number) => Int8Array;
}

/** Marks a chunk that the caller may not read. No vector has so many signs. */
const hidden = 0xffff;

/** The vectors of an index in memory: all signs, and all numbers unless they take too much memory. */
export class VectorScan {
  readonly #size: ScanSize;
  readonly #words: number;
  /** Each chunk has a place. These arrays hold the facts about the chunk at that place. */
  readonly #chunks: Float64Array;
  readonly #audiences: Float64Array;
  readonly #vectors: Float64Array;
  readonly #norms: Float64Array;
  readonly #signs: Uint32Array;
  readonly #numbers: Int8Array;
  readonly #differences: Uint16Array;
  readonly #places = new Map<number, number>();

  constructor(chunks: Iterable<ScannedChunk>, size: ScanSize) {
    const { dimensions, chunks: count, numbersOf } = size;
    this.#size = size;
    this.#words = wordsFor(dimensions);
    this.#chunks = new Float64Array(count);
    this.#audiences = new Float64Array(count);
    this.#vectors = new Float64Array(count);
    this.#norms = new Float64Array(count);
    this.#signs = new Uint32Array(count * this.#words);
    this.#numbers = new Int8Array(numbersOf === undefined ? count * dimensions : 0);
    this.#differences = new Uint16Array(count);
    let place = 0;
    for (const chunk of chunks) this.#put(place++, chunk);
  }

  #put(place: number, { chunk, audience, vector, norm, signs, numbers }: ScannedChunk): void {
    this.#chunks[place] = chunk;
    this.#audiences[place] = audience;
    this.#vectors[place] = vector;
    this.#norms[place] = norm;
    this.#places.set(chunk, place);
    new Uint8Array(this.#signs.buffer).set(signs, place * this.#words * 4);
    if (numbers !== null) new Uint8Array(this.#numbers.buffer).set(numbers, place * this.#size.dimensions);
  }

  /** How near a chunk is to a question; undefined when the chunk has no vector. */
  cosine(vector: Float32Array, chunk: number): number | undefined {
    const place = this.#places.get(chunk);
    if (place === undefined) return undefined;
    const { dimensions, numbersOf } = this.#size;
    const [numbers, from] =
      numbersOf === undefined ? [this.#numbers, place * dimensions] : [numbersOf(this.#vectors[place] ?? 0), 0];
    return cosineOf(vector, { numbers, from, norm: this.#norms[place] ?? 1 });
  }

  /**
   * About `count` chunks whose signs differ least from the signs of a question. `audiences` are the audiences that the caller belongs to.
   * Null: the caller may read all chunks.
   */
  nearest(signs: Uint32Array, audiences: readonly number[] | null, count: number): readonly number[] {
    const most = this.#compare(signs, audiences === null ? null : new Set(audiences), count);
    const near: number[] = [];
    for (let place = 0; place < this.#differences.length; place += 1) {
      if ((this.#differences[place] ?? hidden) <= most) near.push(this.#chunks[place] ?? 0);
    }
    return near;
  }

  /** Notes how many signs of each chunk differ. Returns the number of differences up to which at least `count` chunks are found. */
  #compare(signs: Uint32Array, allowed: ReadonlySet<number> | null, count: number): number {
    const counts = new Uint32Array(32 * this.#words + 1);
    for (let place = 0; place < this.#differences.length; place += 1) {
      if (allowed !== null && !allowed.has(this.#audiences[place] ?? -1)) {
        this.#differences[place] = hidden;
        continue;
      }
      const difference = this.#difference(signs, place * this.#words);
      this.#differences[place] = difference;
      counts[difference] = (counts[difference] ?? 0) + 1;
    }
    let most = 0;
    for (let found = counts[0] ?? 0; found < count && most < counts.length - 1; found += counts[most] ?? 0) most += 1;
    return most;
  }

  /** Counts the bits that differ, all bits of a word at once. */
  #difference(signs: Uint32Array, from: number): number {
    let count = 0;
    for (let word = 0; word < this.#words; word += 1) {
      let bits = (signs[word] ?? 0) ^ (this.#signs[from + word] ?? 0);
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      count += (Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24) & 0xff;
    }
    return count;
  }
}
