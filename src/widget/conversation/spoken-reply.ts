import { textOf } from '../nodes/node-plan.ts';
import { planMarkdown } from '../markdown/plan-blocks.ts';

const longest = 600;

/** The part of a reply that a screen reader is given. */
export interface SpokenReply {
  readonly text: string;
  /** The length of the whole reply in words, if only its beginning is spoken. Else null. */
  readonly wordsInAll: number | null;
}

/** A finished reply as plain text. A long reply is cut to its first two sentences, and its length is given in words. */
export function spokenReply(markdown: string, locale: string): SpokenReply {
  const blocks = planMarkdown(markdown, { table: '', code: '' });
  const text = blocks
    .map(textOf)
    .join('\n')
    .replace(/(?<!\s)\s*\n\s*/g, '\n')
    .trim();
  if (text.length <= longest) return { text, wordsInAll: null };
  const sentences = [...new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(text)];
  const beginning = sentences
    .slice(0, 2)
    .map(({ segment }) => segment)
    .join('')
    .trim();
  const words = [...new Intl.Segmenter(locale, { granularity: 'word' }).segment(text)].filter(
    (word) => word.isWordLike,
  );
  return { text: beginning.slice(0, longest), wordsInAll: words.length };
}
