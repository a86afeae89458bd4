import type { Language } from '../../../core/language/language.ts';
import { objectOf, parsedJson } from '../json-values.ts';
import { termsOf } from './lexicon.ts';
import { wordsOf } from './words.ts';

/** A document in front of a message. */
const document = /<data of="document (\d+)">\n([^\n]*)\n<\/data>/g;
/** The most characters of a quotation. A reply is an answer, not the whole page. */
const longestQuote = 400;

interface Passage {
  readonly text: string;
  readonly number: string;
  /** The number of terms of the question in the passage. */
  readonly hits: number;
}

/**
 * The passage that shares the most words with the question, with the number by which it is cited. The documents stand before the message.
 * Undefined without documents. `message` is the whole text that the model is sent; `question` is the user's part of it.
 */
export function quoteDocument(message: string, question: string, language: Language): string | undefined {
  const terms = termsOf(wordsOf(question));
  const passages = [...message.matchAll(document)].flatMap(([, number = '', json = '']) => {
    const content = objectOf(parsedJson(json))?.['content'];
    return typeof content === 'string' ? passagesOf(content, language).map((text) => rated(text, number, terms)) : [];
  });
  // The sort is stable and the better documents come first, so of equal passages the one in the better document wins.
  const [best] = passages.toSorted((one, other) => other.hits - one.hits);
  return best === undefined ? undefined : `${best.text} [${best.number}]`;
}

function rated(text: string, number: string, terms: ReadonlySet<string>): Passage {
  const own = termsOf(wordsOf(text));
  return { text, number, hits: [...terms].filter((term) => own.has(term)).length };
}

/** Paragraphs without their headings. A long paragraph is cut after a sentence. */
function passagesOf(content: string, language: Language): readonly string[] {
  return content
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/^#{1,6} .*$/gm, '').trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => shortened(paragraph, language));
}

function shortened(paragraph: string, language: Language): string {
  if (paragraph.length <= longestQuote) return paragraph;
  let text = '';
  const locale = language === 'Japanese' ? 'ja' : language === 'Chinese' ? 'zh' : 'en';
  for (const { segment } of new Intl.Segmenter(locale, { granularity: 'sentence' }).segment(paragraph)) {
    if (text !== '' && text.length + segment.length > longestQuote) break;
    text += segment;
  }
  return text.trim().slice(0, 2 * longestQuote);
}
