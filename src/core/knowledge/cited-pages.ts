import { createHash } from 'node:crypto';
import type { KeptSource } from '../events/shown-event.ts';
import type { HostedCitation } from '../ports/hosted-tools.ts';

/** Characters of a hash that tell pages and files apart. */
const idLength = 22;

/**
 * The pages and files that a reply refers to, found by the provider of the model (contract/knowledge.md#citations). Their numbers go on
 * behind `last`. The provider gives no scores: theirs are 0.
 */
export function citedPages(citations: readonly HostedCitation[], last: number): readonly KeptSource[] {
  const first = new Map(citations.map((citation) => [`${citation.kind} ${citation.id}`, citation]));
  return [...first.values()].map(({ kind, id, title }, index) => ({
    number: last + index + 1,
    id: createHash('sha256').update(`${kind}\n${id}`).digest('base64url').slice(0, idLength),
    title,
    score: 0,
    kind,
    ...(kind === 'web' && isSecure(id) ? { url: id } : {}),
  }));
}

/** Citations link to nothing that is read in the clear. */
function isSecure(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:';
}
