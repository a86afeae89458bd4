import type { KeptSource } from '../events/shown-event.ts';
import type { CitedDocument } from './cited-document.ts';
import { citedNumbers } from './cited-numbers.ts';
import { excerptOf, saidWith } from './excerpt.ts';

/** A reply that may cite documents. */
interface CitingReply {
  readonly text: string;
  readonly usedTools: boolean;
  /** Whether each document comes with an excerpt. */
  readonly showExcerpts: boolean;
}

/**
 * The documents that a reply is based on (contract/knowledge.md#citations). These are the documents that the reply cites, in the order of
 * their numbers. A reply without citations is based on all documents, or on none if the turn used tools.
 */
export function citedSources(
  documents: readonly CitedDocument[],
  { text, usedTools, showExcerpts }: CitingReply,
): readonly KeptSource[] {
  const numbered = documents.map((document, index) => {
    const source = sourceOf(document, index + 1);
    return showExcerpts ? { ...source, excerpt: excerptOf(document.content, saidWith(text, source.number)) } : source;
  });
  const numbers = citedNumbers(text);
  const cited = numbered.filter(({ number }) => numbers.has(number));
  if (cited.length > 0) return cited;
  return usedTools ? [] : numbered;
}

/** The part of a document that is kept. Of the content no more than an excerpt is kept. */
function sourceOf({ content: _, isTrusted: __, ...source }: CitedDocument, number: number): KeptSource {
  return { number, kind: 'document', ...source };
}
