import type { Database, Statement } from 'better-sqlite3';
import type { Term } from '../../../../core/ports/text-words.ts';

/** In smaller indexes every lookup is quick. */
const manyChunks = 1_000;
const mostCommonTerms = 3;
/** Counts that are kept. */
const mostKept = 10_000;

/** A term and what finding it is worth. */
export interface WeighedTerm extends Term {
  /** Chunks it stands in. */
  readonly chunks: number;
  readonly weight: number;
}

/**
 * Among fewer chunks, words count as if there were so many. In a single chunk every word that stands in it would be a frequent one, and
 * one that does not would outweigh four that do.
 */
const fewestChunks = 5;

/** The scale of the scores: all of the question was found. */
const mostScore = 10;

/**
 * The least score that is of use. Bm25 has no scale of its own: its numbers grow with the folder. The weighted share of the question's
 * terms keeps nearly all questions that have an answer, and drops most others. Pairs of characters are found by chance more often.
 */
const leastScore = { words: 4, pairs: 2 } as const;

/** The chunks that somebody may read. */
export interface Readable {
  readonly chunks: number;
  /** The ids of their audiences; null: all of the index. */
  readonly audiences: readonly number[] | null;
}

/** Weighs terms by how rare they are among the chunks that somebody may read: others leave no trace in the scores. */
export class TermWeights {
  readonly #frequency: Statement;
  readonly #frequencyAmong: Statement;
  /** Counting among some of the chunks looks at each one that has the term. */
  readonly #kept = new Map<string, number>();

  constructor(database: Database) {
    this.#frequency = database.prepare('select doc from vocabulary where term = ?').pluck();
    this.#frequencyAmong = database
      .prepare(
        `select count(*) from words where words match ? and exists (select 1 from chunk indexed by chunk_of_audience
         where chunk.audience in (select value from json_each(?)) and chunk.id = words.rowid)`,
      )
      .pluck();
  }

  /** The index has changed. */
  forget(): void {
    this.#kept.clear();
  }

  weigh(terms: readonly Term[], readable: Readable): readonly WeighedTerm[] {
    const audiences = readable.audiences === null ? null : JSON.stringify(readable.audiences);
    return terms.map((term) => {
      const chunks = Math.max(...term.variants.map((token) => this.#count(token, audiences)));
      const among = Math.max(readable.chunks, fewestChunks);
      return { ...term, chunks, weight: Math.log(1 + (among - chunks + 0.5) / (chunks + 0.5)) };
    });
  }

  #count(token: string, among: string | null): number {
    if (among === null) return Number(this.#frequency.get(token) ?? 0);
    const key = `${token} ${among}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const count = Number(this.#frequencyAmong.get(`"${token}"`, among));
    if (this.#kept.size >= mostKept) this.#kept.clear();
    this.#kept.set(key, count);
    return count;
  }
}

/** 0 to 10: the weighted share of the terms that are found. */
export function scoreOf(terms: readonly WeighedTerm[], isFound: (term: WeighedTerm) => boolean): number {
  let all = 0;
  let found = 0;
  for (const term of terms) {
    all += term.weight;
    if (isFound(term)) found += term.weight;
  }
  return all === 0 ? 0 : Math.round((100 * mostScore * found) / all) / 100;
}

/**
 * What the nearness of a meaning is worth, on the scale of `scoreOf`: the least cosine that is of use is worth the threshold, and 1 is
 * worth all.
 */
export function meaningScore(
  cosine: number,
  { minCosine, threshold }: { readonly minCosine: number; readonly threshold: number },
): number {
  const score =
    cosine < minCosine
      ? (threshold * Math.max(0, cosine)) / minCosine
      : threshold + ((mostScore - threshold) * (Math.min(1, cosine) - minCosine)) / (1 - minCosine);
  // What is just below the threshold stays below.
  return Math.floor(100 * score) / 100;
}

/**
 * The terms that chunks are ranked by. One that stands in every fifth chunk hardly changes their order, and takes as long to look
 * up as all others together; it counts towards the score all the same.
 */
export function tellingTerms(terms: readonly WeighedTerm[], allChunks: number): readonly WeighedTerm[] {
  const telling = terms.filter(({ chunks }) => chunks > 0 && (allChunks < manyChunks || chunks * 5 < allChunks));
  if (telling.length > 0) return telling;
  return terms
    .filter(({ chunks }) => chunks > 0)
    .toSorted((one, other) => one.chunks - other.chunks)
    .slice(0, mostCommonTerms);
}

/** The threshold for a question. */
export function leastScoreOf(terms: readonly Term[]): number {
  const pairs = terms.filter(({ isPair }) => isPair).length;
  return 2 * pairs > terms.length ? leastScore.pairs : leastScore.words;
}
