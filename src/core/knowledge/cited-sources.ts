import type { KeptSource } from '../events/shown-event.ts';
import type { CitedDocument } from './cited-document.ts';

/** A citation in a reply: `[2]`, or several numbers at once as `[1, 3]`. */
const citation = /\[(\d{1,2}(?:, ?\d{1,2})*)\]/g;

/**
 * The documents that a reply is based on (contract/knowledge.md#citations). These are the documents that the reply cites, in the order of
 * their numbers. A reply without citations is based on all documents, or on none if the turn used tools.
 */
export function citedSources(
  documents: readonly CitedDocument[],
  { text, usedTools }: { readonly text: string; readonly usedTools: boolean },
): readonly KeptSource[] {
  const numbered = documents.map((document, index) => sourceOf(document, index + 1));
  const numbers = new Set([...text.matchAll(citation)].flatMap(([, list = '']) => list.split(',').map(Number)));
  const cited = numbered.filter(({ number }) => numbers.has(number));
  if (cited.length > 0) return cited;
  return usedTools ? [] : numbered;
}

/** The part of a document that is kept. The content is not kept. */
function sourceOf({ content: _, isTrusted: __, ...source }: CitedDocument, number: number): KeptSource {
  return { number, kind: 'document', ...source };
}
