import type { KeptSource } from '../events/shown-event.ts';
import type { CitedDocument } from './cited-document.ts';

/** How a reply cites: `[2]`, or several at once as `[1, 3]`. */
const citation = /\[(\d{1,2}(?:, ?\d{1,2})*)\]/g;

/**
 * The documents that a reply goes by (contract/knowledge.md#citations): those that it cites, in the order of their numbers. A reply that
 * cites none goes by all of them, unless it tells what a tool has given.
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

/** What is kept of a document: not its content. */
function sourceOf({ content: _, isTrusted: __, ...source }: CitedDocument, number: number): KeptSource {
  return { number, kind: 'document', ...source };
}
