import type { Database, Statement } from 'better-sqlite3';
import type { Term } from '../../../../core/ports/text-words.ts';

/** An index with fewer chunks looks up every term quickly. */
const manyChunks = 1_000;
const mostCommonTerms = 3;
/** The most counts that are kept. */
const mostKept = 10_000;

/** A term, and how much finding it counts. */
export interface WeighedTerm extends Term {
  /** The number of chunks that the term stands in. */
  readonly chunks: number;
  readonly weight: number;
}

/**
 * With fewer chunks, weights are computed as if there were this many. Otherwise every word in a single chunk would be a frequent word, and
 * one missing word would outweigh four found ones.
 */
const fewestChunks = 5;

/** The score of a chunk that holds all terms of the question. */
const mostScore = 10;

/**
 * The least score at which a chunk is found. The score is the weighted share of the question's terms, because the numbers of bm25 have no
 * fixed scale: they grow with the folder. With this limit nearly all questions that have an answer find it, and most others find nothing. A
 * question that consists mostly of pairs of characters has a limit of its own.
 */
const leastScore = { words: 4, pairs: 2 } as const;

/** The chunks that somebody may read. */
export interface Readable {
  readonly chunks: number;
  /** The ids of the audiences of these chunks. Null: all chunks of the index. */
  readonly audiences: readonly number[] | null;
}

/** Weighs terms by how rare they are among the chunks that the caller may read. Other chunks leave no trace in the scores. */
export class TermWeights {
  readonly #frequency: Statement;
  readonly #frequencyAmong: Statement;
  /** Counts among some of the chunks. They are kept, because such a count looks at every chunk that has the term. */
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

  /** To be called after the index has changed. */
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

/** From 0 to 10: the weighted share of the terms that are found. */
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
 * The score for the nearness of a meaning, on the scale of `scoreOf`. The least cosine that counts gives the threshold, and a cosine of 1
 * gives the full score.
 */
export function meaningScore(
  cosine: number,
  { minCosine, threshold }: { readonly minCosine: number; readonly threshold: number },
): number {
  const score =
    cosine < minCosine
      ? (threshold * Math.max(0, cosine)) / minCosine
      : threshold + ((mostScore - threshold) * (Math.min(1, cosine) - minCosine)) / (1 - minCosine);
  // Rounding down keeps a score that is just below the threshold below it.
  return Math.floor(100 * score) / 100;
}

/**
 * The terms that chunks are ranked by. A term that stands in every fifth chunk hardly changes the order of chunks, and its lookup takes as
 * long as the lookups of all other terms together. Such a term still counts towards the score.
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
