import type { Fact } from '../ports/memory-store.ts';

/** The usual constants of bm25: how soon a repeated word stops counting, and how much a long text is held back. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** Words of a question that are looked at. */
const mostWords = 200;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー々]/u;
const wordPattern = /[\p{L}\p{N}]+/gu;

/**
 * The facts that share words with a text, the best first (bm25). `least`: how many of the facts are given in any case, those that share
 * nothing last and in their order.
 */
export function rankFacts(facts: readonly Fact[], text: string, least = 0): readonly Fact[] {
  const asked = new Set(tokensOf(text).slice(0, mostWords));
  const documents = facts.map((fact) => ({ fact, tokens: tokensOf(fact.text) }));
  const average = documents.reduce((sum, { tokens }) => sum + tokens.length, 0) / Math.max(1, documents.length);
  const worthOf = new Map(
    [...asked].map((token) => {
      const holders = documents.filter(({ tokens }) => tokens.includes(token)).length;
      return [token, Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5))] as const;
    }),
  );
  const scored = documents.map(({ fact, tokens }) => {
    let score = 0;
    for (const [token, worth] of worthOf) {
      const count = tokens.filter((own) => own === token).length;
      const held = saturation * (1 - lengthWeight + (lengthWeight * tokens.length) / Math.max(1, average));
      score += (worth * count * (saturation + 1)) / (count + held);
    }
    return { fact, score };
  });
  const ordered = scored.toSorted((one, other) => other.score - one.score);
  return ordered.filter(({ score }, place) => score > 0 || place < least).map(({ fact }) => fact);
}

/** Words of three letters and fewer are mostly those that every sentence is made of. */
function tokensOf(text: string): readonly string[] {
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .normalize('NFKC')
      .toLowerCase()
      .match(wordPattern) ?? [];
  return words.flatMap((word) => {
    if (unspaced.test(word)) return pairsOf(word);
    if (/\p{N}/u.test(word)) return [word];
    return word.length > 3 ? [stemOf(word)] : [];
  });
}

/** What forms of a word share in most languages: its beginning without a short ending. */
function stemOf(word: string): string {
  return word.replace(/(?:es|en|er|s|n|e)$/, '').slice(0, 5);
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
