import type { SmallVector } from '../base/small-vector.ts';

/** The vectors of one source of documents by one model. */
export interface VectorsOf {
  /** The name of the source. */
  readonly source: string;
  /** The identity of the model. */
  readonly model: string;
}

/** The vector of a passage as it is kept. */
export interface PassageVector {
  /** The hash of the text that the vector is made from. */
  readonly hash: string;
  readonly vector: SmallVector;
}

/** What is known of texts that need a vector. */
export interface TakenPassages {
  readonly found: readonly PassageVector[];
  /** The hashes of the texts that the caller is to make vectors for. Another server makes those that are in neither list. */
  readonly toMake: readonly string[];
}

/**
 * Keeps the vectors of passages for all servers and for later starts (contract/document-folders.md#vectors-in-the-database). It holds no
 * text. Every method rejects when the store failed. Nothing depends on what it keeps: a vector that is missing is made anew.
 */
export interface PassageVectorStore {
  /** The vectors that are kept for these texts. */
  find(of: VectorsOf, hashes: readonly string[]): Promise<readonly PassageVector[]>;
  /**
   * As `find`, and reserves the other texts for the caller for a short time, unless they are reserved already. The caller SHOULD follow
   * with `keep` or `release`.
   */
  take(of: VectorsOf, hashes: readonly string[]): Promise<TakenPassages>;
  /** Lets others make vectors for texts that the caller has reserved. */
  release(of: VectorsOf, hashes: readonly string[]): Promise<void>;
  /** Keeps vectors. A vector that is kept already is replaced. */
  keep(of: VectorsOf, vectors: readonly PassageVector[]): Promise<void>;
  /** Notes that the vectors of these texts are in use. Resolves with the hashes whose vectors are not kept. */
  use(of: VectorsOf, hashes: readonly string[]): Promise<readonly string[]>;
  /** Deletes vectors that nobody has used since this time (epoch milliseconds). Resolves with the number of deletions. */
  purge(unusedSince: number): Promise<number>;
}
