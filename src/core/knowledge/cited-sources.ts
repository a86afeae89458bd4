import type { KeptSource } from '../events/shown-event.ts';
import type { CitedDocument } from './cited-document.ts';
import { citedNumbers } from './cited-numbers.ts';
import { excerptOf, saidIn } from './excerpt.ts';

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
  const numbers = citedNumbers(text);
  const numbered = documents.map((document, index) => ({ document, number: index + 1 }));
  const cited = numbered.filter(({ number }) => numbers.has(number));
  const used = cited.length > 0 ? cited : usedTools ? [] : numbered;
  const said = showExcerpts ? saidIn(text) : undefined;
  return used.map(({ document, number }) => {
    const source = sourceOf(document, number);
    return said === undefined ? source : { ...source, excerpt: excerptOf(document.content, said(number)) };
  });
}

/** The part of a document that is kept. Of the content no more than an excerpt is kept. */
function sourceOf({ content: _, isTrusted: __, ...source }: CitedDocument, number: number): KeptSource {
  return { number, kind: 'document', ...source };
}
