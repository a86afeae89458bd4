import type { Excerpt } from '../events/turn-event.ts';
import { citedNumbers, withoutCitations } from './cited-numbers.ts';

/** The most characters of an excerpt. */
const maxLength = 600;

/** The most characters of a document that are looked through. */
const maxSearched = 20_000;

/** Scripts that write no spaces between words. */
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** A part of a text. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly words: ReadonlySet<string>;
}

/**
 * The part of a document that best supports what a reply says, with what stands around it (contract/knowledge.md#citations). The passage is the
 * sentence with the most words in common. Without one that has any, it is empty, and the excerpt is the beginning of the document.
 */
export function excerptOf(content: string, said: string): Excerpt {
  const searched = content.slice(0, maxSearched);
  const parts = sentencesOf(searched);
  const wanted = wordsOf(said);
  const counts = new Map<string, number>();
  for (const { words } of parts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  let best: Part | undefined;
  let most = 0;
  for (const part of parts) {
    let score = 0;
    // A word that stands in every sentence tells nothing about one of them.
    for (const word of part.words) if (wanted.has(word)) score += 1 / (counts.get(word) ?? 1);
    if (score > most) [best, most] = [part, score];
  }
  return around(searched, best ?? { from: 0, to: 0 });
}

/**
 * What a reply says with the citation of each number; the whole reply where it cites nothing with it. The reply is looked through once, and
 * no further than a document.
 */
export function saidIn(reply: string): (number: number) => string {
  const searched = reply.slice(0, maxSearched);
  const sentences = sentencesOf(searched).map(({ from, to }, index, all) => {
    const sentence = searched.slice(from, to);
    const before = all[index - 1];
    // A citation may stand behind the full stop of its sentence.
    const isAlone = before !== undefined && wordsOf(withoutCitations(sentence)).size < 2;
    return { numbers: citedNumbers(sentence), text: searched.slice(isAlone ? before.from : from, to) };
  });
  return (number) => {
    const citing = sentences.filter(({ numbers }) => numbers.has(number));
    return citing.length === 0 ? searched : citing.map(({ text }) => text).join(' ');
  };
}

/** The sentences of a text. A line ends one, too. */
function sentencesOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const isEnd =
      character === '\n' ||
      '。！？'.includes(character) ||
      ('.!?'.includes(character) && /\s/.test(text.charAt(at + 1)));
    if (!isEnd) continue;
    parts.push(...partOf(text, from, at + 1));
    from = at + 1;
  }
  parts.push(...partOf(text, from, text.length));
  return parts;
}

function partOf(text: string, start: number, end: number): readonly Part[] {
  const piece = text.slice(start, end);
  const trimmed = piece.trim();
  if (trimmed === '') return [];
  const from = start + piece.indexOf(trimmed);
  return [{ from, to: from + trimmed.length, words: wordsOf(trimmed) }];
}

/** The words of a text, in lower case; of scripts without spaces, each two characters that stand together. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text
    .toLowerCase()
    .normalize('NFKC')
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!withoutSpaces.test(word)) words.add(word);
    else for (let at = 0; at + 1 < word.length; at += 1) words.add(word.slice(at, at + 2));
  }
  return words;
}

/** The passage with as much before and behind it as fits. What is cut begins and ends with a whole word where it can. */
function around(text: string, passage: { readonly from: number; readonly to: number }): Excerpt {
  const to = Math.min(passage.to, passage.from + maxLength);
  const room = maxLength - (to - passage.from);
  const before = Math.min(passage.from, Math.floor(room / 3));
  const start = startAt(text, passage.from - before, passage.from);
  const end = endAt(text, Math.min(text.length, to + room - before), to);
  const isPassage = to > passage.from;
  return {
    text: text.slice(start, end),
    from: isPassage ? passage.from - start : 0,
    to: isPassage ? (to < passage.to ? endAt(text, to, passage.from) : to) - start : 0,
  };
}

/** The next beginning of a word, but not behind `latest`. */
function startAt(text: string, from: number, latest: number): number {
  if (from === 0) return 0;
  const space = text.slice(from, latest).search(/\s/);
  const at = space < 0 ? from : from + space + 1;
  return isLow(text, at) ? at + 1 : at;
}

/** The last end of a word, but not before `earliest`. */
function endAt(text: string, to: number, earliest: number): number {
  if (to >= text.length) return text.length;
  let at = to;
  while (at > earliest && !/\s/.test(text.charAt(at))) at -= 1;
  if (at <= earliest) at = to;
  return isLow(text, at) ? at - 1 : at;
}

/** Whether the second half of a character stands here. */
function isLow(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
