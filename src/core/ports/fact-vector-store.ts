/** The vector of a fact as it is kept. */
export interface KeptVector {
  /** The hash of the fact. */
  readonly hash: string;
  /** Null: the model has no vector for this text. */
  readonly numbers: Int8Array | null;
}

/**
 * Keeps the vectors of facts beside the facts, so that a restart asks no model again (contract/memory.md#prompt). A vector goes with its
 * fact: when the fact is erased, replaced, corrected or too old. Both methods reject when the store failed.
 */
export interface FactVectorStore {
  /** The vectors that facts of this user have by this model. */
  vectors(userKey: string, model: string): Promise<readonly KeptVector[]>;
  /** Keeps vectors of this user's facts. The vector of a fact that is gone is not kept. */
  keepVectors(userKey: string, model: string, vectors: readonly KeptVector[]): Promise<void>;
}
