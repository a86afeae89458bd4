import { stemOf } from './stems.ts';

/** A run of letters, digits and marks, in lower case. */
export interface Word {
  readonly text: string;
  /** Whether the word's script puts no spaces between words. */
  readonly isUnspaced: boolean;
}

/** The most characters of a word that count. A longer word is no word of a language, and its beginning identifies it. */
const longestWord = 64;

const wordPattern =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+)|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]]+/gv;

/** The words of a text, in order. */
export function* wordsOf(text: string): Generator<Word> {
  for (const [found, unspaced] of text.normalize('NFKC').toLowerCase().matchAll(wordPattern)) {
    yield { text: found, isUnspaced: unspaced !== undefined };
  }
}

/**
 * The tokens of a word, for the index and for a search. In a script without spaces, these are overlapping pairs of characters; else it is
 * the word's stem in `language`.
 */
export function tokensOfWord(word: Word, language: string): readonly string[] {
  if (word.isUnspaced) return pairsOf(word.text);
  const { text } = word;
  const token = text.length > longestWord ? text.slice(0, longestWord) : stemOf(text, language);
  return token === '' ? [] : [token];
}

/** All tokens of a text in their order. */
export function tokensOf(text: string, language: string): string[] {
  const tokens: string[] = [];
  for (const word of wordsOf(text)) {
    for (const token of tokensOfWord(word, language)) tokens.push(token);
  }
  return tokens;
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run.replace(/\p{M}+/gu, ''));
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
