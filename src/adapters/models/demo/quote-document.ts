import type { Language } from '../../../core/language/language.ts';
import { objectOf, parsedJson } from '../json-values.ts';
import { termsOf } from './lexicon.ts';
import { wordsOf } from './words.ts';

/** A document as it stands before a message. */
const document = /<data of="document (\d+)">\n([^\n]*)\n<\/data>/g;
/** Characters of a quotation: an answer, not the page. */
const longestQuote = 400;

interface Passage {
  readonly text: string;
  readonly number: string;
  /** How many terms of the question it holds. */
  readonly hits: number;
}

/**
 * The passage of the documents before a message that has most of its words, with the number to cite it by; undefined without documents.
 * `message` is as the model is sent it, `question` what of it the user wrote.
 */
export function quoteDocument(message: string, question: string, language: Language): string | undefined {
  const terms = termsOf(wordsOf(question));
  const passages = [...message.matchAll(document)].flatMap(([, number = '', json = '']) => {
    const content = objectOf(parsedJson(json))?.['content'];
    return typeof content === 'string' ? passagesOf(content, language).map((text) => rated(text, number, terms)) : [];
  });
  // The first of equal passages stands in the better document.
  const [best] = passages.toSorted((one, other) => other.hits - one.hits);
  return best === undefined ? undefined : `${best.text} [${best.number}]`;
}

function rated(text: string, number: string, terms: ReadonlySet<string>): Passage {
  const own = termsOf(wordsOf(text));
  return { text, number, hits: [...terms].filter((term) => own.has(term)).length };
}

/** Paragraphs without their headings; a long one is cut after a sentence. */
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
