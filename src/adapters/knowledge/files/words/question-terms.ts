import { stopWordsOf } from './stop-words.ts';
import { tokensOfWord, type Word, wordsOf } from './words.ts';

/** One thing that a question asks for. */
export interface Term {
  /** Its tokens in the languages that the question may be in. Any one of them counts. */
  readonly variants: readonly string[];
  /** A pair of characters of a script without spaces. */
  readonly isPair: boolean;
}

/** A longer question is looked for by its beginning. */
const longestQuestion = 4_000;
const mostTerms = 64;
/** A short question may be in any language of the index; the most frequent ones are tried. */
const mostLanguages = 5;

/**
 * What a question asks for. `languages` are those of the documents, the most frequent one first: the question is taken to be in the
 * one with most of its stop words. Stop words are left out unless nothing else is there.
 */
export function questionTerms(question: string, languages: readonly string[]): readonly Term[] {
  const words = [...wordsOf(question.slice(0, longestQuestion))];
  const spoken = languagesOf(words, languages);
  const isStopWord = ({ text }: Word): boolean => spoken.some((language) => stopWordsOf(language).has(text));
  const telling = words.filter((word) => !isStopWord(word));
  const terms = new Map<string, Term>();
  for (const word of telling.length > 0 ? telling : words) {
    for (const term of termsOf(word, spoken).slice(0, mostTerms)) terms.set(term.variants.join(' '), term);
    if (terms.size >= mostTerms) break;
  }
  return [...terms.values()].slice(0, mostTerms);
}

function termsOf(word: Word, languages: readonly string[]): readonly Term[] {
  if (word.isUnspaced) return tokensOfWord(word, '').map((token) => ({ variants: [token], isPair: true }));
  const variants = new Set(languages.flatMap((language) => tokensOfWord(word, language)));
  return variants.size === 0 ? [] : [{ variants: [...variants], isPair: false }];
}

function languagesOf(words: readonly Word[], languages: readonly string[]): readonly string[] {
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
