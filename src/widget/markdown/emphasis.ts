import type { Mark } from './inline-piece.ts';

/** A run of `*`, `_` or `~`. */
export interface Delimiter extends Mark {
  readonly sign: string;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
}

/** Reads the run that begins at `from`, and judges it by the characters before and after it (CommonMark 6.2). */
export function readDelimiter(text: string, from: number): Delimiter {
  const sign = text.charAt(from);
  let end = from + 1;
  while (text[end] === sign) end += 1;
  const before = kindOf(Array.from(text.slice(Math.max(0, from - 2), from)).at(-1));
  const after = kindOf(Array.from(text.slice(end, end + 2))[0]);
  const isLeft = mayFace(after, before);
  const isRight = mayFace(before, after);
  const length = end - from;
  // Underscores inside a word are part of the word, and so is one tilde: it stands in ranges. Three tildes strike nothing.
  const isWord = (sign === '_' || (sign === '~' && length === 1)) && isLeft && isRight;
  const counts = sign !== '~' || length < 3;
  return {
    sign,
    length,
    canOpen: counts && isLeft && (!isWord || before === 'punctuation'),
    canClose: counts && isRight && (!isWord || after === 'punctuation'),
    closes: 0,
    text: text.slice(from, end),
    opens: [],
  };
}

type Kind = 'space' | 'punctuation' | 'ideograph' | 'letter';

function kindOf(character: string | undefined): Kind {
  if (character === undefined || /\s/.test(character)) return 'space';
  if (/[\p{P}\p{S}]/u.test(character)) return 'punctuation';
  return /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(character) ? 'ideograph' : 'letter';
}

/**
 * Whether a run belongs to the text on its inner side. When that text begins with punctuation, CommonMark wants white space or punctuation
 * on the outer side. Scripts without spaces between words often have an ideograph there, so an ideograph counts as well.
 */
function mayFace(inner: Kind, outer: Kind): boolean {
  return inner !== 'space' && (inner !== 'punctuation' || outer !== 'letter');
}

/**
 * Pairs the runs with each other (CommonMark, appendix). Each failed search is remembered, so that the work grows with the number of runs
 * and not with its square.
 */
export function pairDelimiters(delimiters: readonly Delimiter[]): void {
  /** Runs without a partner so far, by their place in the list. */
  const openers: number[] = [];
  const searchedTo = new Map<string, number>();
  for (const [index, closer] of delimiters.entries()) {
    const key = `${closer.sign}${String(closer.canOpen)}${String(closer.length % 3)}`;
    while (closer.canClose && closer.text !== '') {
      const limit = searchedTo.get(key) ?? -1;
      const found = openers.findLastIndex((place) => place <= limit || matches(delimiters[place], closer));
      const place = openers[found] ?? -1;
      const opener = delimiters[place];
      if (opener === undefined || place <= limit) {
        searchedTo.set(key, index - 1);
        break;
      }
      openers.length = found + 1;
      pair(opener, closer);
      if (opener.text === '') openers.pop();
    }
    if (closer.canOpen && closer.text !== '') openers.push(index);
  }
}

function matches(opener: Delimiter | undefined, closer: Delimiter): boolean {
  if (opener?.sign !== closer.sign) return false;
  if (closer.sign === '~') return opener.length === closer.length;
  if (!opener.canClose && !closer.canOpen) return true;
  return (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0);
}

function pair(opener: Delimiter, closer: Delimiter): void {
  const isStrong = opener.text.length > 1 && closer.text.length > 1;
  const used = closer.sign === '~' ? closer.length : isStrong ? 2 : 1;
  opener.opens.push({ tag: closer.sign === '~' ? 'del' : isStrong ? 'strong' : 'em' });
  closer.closes += 1;
  opener.text = opener.text.slice(used);
  closer.text = closer.text.slice(used);
}
