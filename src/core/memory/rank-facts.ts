import type { Fact } from '../ports/memory-store.ts';
import type { Term, TextWords } from '../ports/text-words.ts';

/** The usual constants of bm25: how soon a repeated word stops counting, and how much a long text is held back. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** Terms of a question that are looked at. */
const mostTerms = 200;

/** A fact with the words by which it is found. */
interface IndexedFact {
  readonly fact: Fact;
  readonly length: number;
  readonly tokens: ReadonlySet<string>;
  /** The single characters of words in scripts without spaces. */
  readonly characters: ReadonlySet<string>;
}

/** The facts that share words with a text, the best first (bm25). A word that a fact repeats counts once. */
export function rankFacts(facts: readonly Fact[], text: string, words: TextWords): readonly Fact[] {
  const asked = words.termsOf(text).slice(0, mostTerms);
  if (asked.length === 0) return [];
  const indexed = facts.map((fact) => indexOf(fact, words.termsOf(fact.text)));
  const average = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const scores = new Map<Fact, number>();
  for (const term of asked) {
    const holders = indexed.filter((fact) => isIn(fact, term));
    const worth = Math.log(1 + (indexed.length - holders.length + 0.5) / (holders.length + 0.5));
    for (const { fact, length } of holders) {
      const held = saturation * (1 - lengthWeight + (lengthWeight * length) / Math.max(1, average));
      scores.set(fact, (scores.get(fact) ?? 0) + (worth * (saturation + 1)) / (1 + held));
    }
  }
  return facts
    .filter((fact) => scores.has(fact))
    .toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

function indexOf(fact: Fact, terms: readonly Term[]): IndexedFact {
  const tokens = terms.flatMap(({ variants }) => variants);
  const pairs = terms.filter(({ isPair }) => isPair).flatMap(({ variants }) => variants);
  return {
    fact,
    length: terms.length,
    tokens: new Set(tokens),
    characters: new Set(pairs.flatMap((pair) => Array.from(pair))),
  };
}

/** In scripts without spaces one character can be a word, so single characters within pairs match too. */
function isIn({ tokens, characters }: IndexedFact, { variants, isPair }: Term): boolean {
  return variants.some((variant) => tokens.has(variant) || (isPair && characters.has(variant)));
}
