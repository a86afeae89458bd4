import { fuseRanks } from '../base/fuse-ranks.ts';
import type { Fact } from '../ports/memory-store.ts';
import type { TextWords } from '../ports/text-words.ts';
import type { FactQuestion, FactVectors } from './fact-vectors.ts';
import { rankFacts } from './rank-facts.ts';

/** What facts are ranked with. */
export interface FactRankingOptions {
  /** Asked for with each question, because the tables of words are loaded only when they are needed. */
  readonly words: () => Promise<TextWords>;
  /** Left out, words alone count. */
  readonly vectors?: FactVectors | undefined;
}

/**
 * Finds the facts that are related to a text: by their words and, with an embedding model, by their meaning (contract/memory.md#prompt).
 */
export class FactRanking {
  readonly #options: FactRankingOptions;

  constructor(options: FactRankingOptions) {
    this.#options = options;
  }

  /**
   * The facts that share words with the text, or have a similar meaning, the best first. When the embedding model is slow or fails, words
   * alone count. @throws the signal's reason once that aborts.
   */
  async rank(question: FactQuestion): Promise<readonly Fact[]> {
    const { words, vectors } = this.#options;
    const { facts, text } = question;
    if (facts.length === 0) return [];
    const [known, near] = await Promise.all([words(), vectors?.nearest(question)]);
    const byWords = rankFacts(facts, text, known);
    return near === undefined ? byWords : fuseRanks([byWords, near]);
  }

  /** Asks for the vectors of facts that have none yet, so that no message waits for them. Never rejects. */
  async prepare(userKey: string, facts: readonly Fact[]): Promise<void> {
    await this.#options.vectors?.prepare(userKey, facts);
  }
}
