import { ShortTextWords } from '../../../../src/adapters/shared/words/short-text-words.ts';
import { FactRanking } from '../../../../src/core/memory/fact-ranking.ts';
import { factHash } from '../../../../src/core/memory/fact-text.ts';
import type { Fact } from '../../../../src/core/ports/memory-store.ts';

/** A fact whose id is its text. */
export function fact(text: string, changes: Partial<Fact> = {}): Fact {
  const place = { turnId: 'turn', conversationId: 'conversation', at: 1_000 };
  return { id: text, kind: 'fact', text, hash: factHash(text), ...place, ...changes };
}

/** Finds facts by their words alone. */
export const rankingByWords = new FactRanking({ words: () => Promise.resolve(new ShortTextWords()) });
