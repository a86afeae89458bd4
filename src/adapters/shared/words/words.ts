import { stemOf } from './stems.ts';

/** A run of letters, digits and marks, in lower case. */
export interface Word {
  readonly text: string;
  /** Whether the word's script puts no spaces between words. */
  readonly isUnspaced: boolean;
  /** The whole compound without its hyphens, where the word is a part of one: `email` for both words of `e-mail`. */
  readonly compound?: string;
  /** Whether the word is the last part of its compound. */
  readonly isLast?: boolean;
}

/** The most characters of a word that count. A longer word is no word of a language, and its beginning identifies it. */
const longestWord = 64;

const wordPattern =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+)|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]]+/gv;

/** Characters that nobody sees. They may stand within a word, to say where it may be cut, and do not make it another word. */
const invisible = /[\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+/g;

const beyondAscii = /[^\0-\x7f]/;

/** What `wordPattern` finds in a lower-case text of ASCII, much faster. */
const plainPattern = /[a-z0-9]+/g;

/** The words of a text, in order. */
export function* wordsOf(text: string): Generator<Word> {
  const isPlain = !beyondAscii.test(text);
  const seen = (isPlain ? text : text.replace(invisible, '').normalize('NFKC')).toLowerCase();
  /** The words that hyphens join so far. */
  let parts: string[] = [];
  for (const { 0: found, 1: unspaced, index } of seen.matchAll(isPlain ? plainPattern : wordPattern)) {
    if (unspaced !== undefined) {
      yield { text: found, isUnspaced: true };
      continue;
    }
    const end = index + found.length;
    const isJoined = isHyphen(seen, end);
    if (!isJoined && parts.length === 0) {
      yield { text: found, isUnspaced: false };
      continue;
    }
    parts.push(found);
    if (isJoined && parts.length < mostParts) continue;
    yield* partsOf(parts);
    parts = [];
  }
}

/** The most words that one compound is made of. */
const mostParts = 8;

/** Whether a hyphen stands here that joins the word before it with another one. NFKC has made a hyphen of the one that is never broken. */
function isHyphen(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === 0x2d || code === 0x2010) && /^[\p{L}\p{N}]/u.test(text.slice(at + 1, at + 3));
}

function* partsOf(parts: readonly string[]): Generator<Word> {
  const compound = parts.join('');
  const isCompound = parts.length > 1 && compound.length <= longestWord && /\p{L}/u.test(compound);
  for (const [at, text] of parts.entries()) {
    yield isCompound
      ? { text, isUnspaced: false, compound, isLast: at === parts.length - 1 }
      : { text, isUnspaced: false };
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

/** All tokens of a text in their order. A compound with hyphens is followed by its token without them, because people write both. */
export function tokensOf(text: string, language: string): string[] {
  const tokens: string[] = [];
  for (const word of wordsOf(text)) {
    for (const token of tokensOfWord(word, language)) tokens.push(token);
    if (word.isLast === true) tokens.push(...tokensOfWord({ text: word.compound ?? '', isUnspaced: false }, language));
  }
  return tokens;
}

function pairsOf(run: string): readonly string[] {
  const characters = Array.from(run.replace(/\p{M}+/gu, ''));
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}
