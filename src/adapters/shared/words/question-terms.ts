import type { Term } from '../../../core/ports/text-words.ts';
import { stopWordsOf } from './stop-words.ts';
import { tokensOfWord, type Word, wordsOf } from './words.ts';

/** The most characters of a question that count. A longer question is searched for by its beginning. */
const longestQuestion = 4_000;

/** How much of a text counts. */
export interface TermLimits {
  readonly terms: number;
  /** A short text may be in any of the languages. This many of them are tried. */
  readonly languages: number;
}

const limitsOfQuestion: TermLimits = { terms: 64, languages: 5 };

/**
 * The terms of a question. `languages` are the languages of the documents, the most frequent one first. The language with most stop words
 * in the question counts as its language. Stop words are left out unless the question has no other words.
 */
export function questionTerms(question: string, languages: readonly string[]): readonly Term[] {
  return termsAmong(question, { languages, limits: limitsOfQuestion, stemmedAs: (spoken) => spoken });
}

/**
 * The terms of a text in one of several languages. `stemmedAs` gets the languages that the text may be in, and returns the languages in
 * which its words are stemmed.
 */
export function termsAmong(
  text: string,
  {
    languages,
    limits,
    stemmedAs,
  }: {
    readonly languages: readonly string[];
    readonly limits: TermLimits;
    readonly stemmedAs: (spoken: readonly string[]) => readonly string[];
  },
): readonly Term[] {
  const words = [...wordsOf(text.slice(0, longestQuestion))];
  const spoken = languagesOf(words, languages, limits.languages);
  const stemmed = stemmedAs(spoken);
  const isStopWord = ({ text: word }: Word): boolean => spoken.some((language) => stopWordsOf(language).has(word));
  const telling = words.filter((word) => !isStopWord(word));
  const terms = new Map<string, Term>();
  for (const word of telling.length > 0 ? telling : words) {
    for (const term of termsOf(word, stemmed).slice(0, limits.terms)) terms.set(term.variants.join(' '), term);
    if (terms.size >= limits.terms) break;
  }
  return [...terms.values()].slice(0, limits.terms);
}

function termsOf(word: Word, languages: readonly string[]): readonly Term[] {
  if (word.isUnspaced) return tokensOfWord(word, '').map((token) => ({ variants: [token], isPair: true }));
  const whole = word.compound === undefined ? [] : [{ text: word.compound, isUnspaced: false }];
  // A document may write the compound without its hyphens. That stands for each of its parts.
  const variants = new Set(
    [word, ...whole].flatMap((one) => languages.flatMap((language) => tokensOfWord(one, language))),
  );
  return variants.size === 0 ? [] : [{ variants: [...variants], isPair: false }];
}

function languagesOf(words: readonly Word[], languages: readonly string[], mostLanguages: number): readonly string[] {
  if (languages.length === 0) return [''];
  if (languages.length === 1) return languages;
  const texts = words.filter(({ isUnspaced }) => !isUnspaced).map(({ text }) => text);
  const counted = languages.map((language) => {
    const stopWords = stopWordsOf(language);
    return { language, count: texts.filter((text) => stopWords.has(text)).length };
  });
  const most = Math.max(...counted.map(({ count }) => count));
  return counted
    .filter(({ count }) => count === most)
    .slice(0, mostLanguages)
    .map(({ language }) => language);
}
