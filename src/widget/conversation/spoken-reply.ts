import { textOf } from '../nodes/node-plan.ts';
import { planMarkdown } from '../markdown/plan-blocks.ts';

const longest = 600;

/** What a screen reader is told of a reply. */
export interface SpokenReply {
  readonly text: string;
  /** Words of the whole reply when only its beginning is spoken, else null. */
  readonly wordsInAll: number | null;
}

/** A finished reply as plain text: all of it, or of a long one the first two sentences and its length in words. */
export function spokenReply(markdown: string, locale: string): SpokenReply {
  const blocks = planMarkdown(markdown, { table: '', code: '' });
  const text = blocks
    .map(textOf)
    .join('\n')
    .replace(/\s*\n\s*/g, '\n')
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
