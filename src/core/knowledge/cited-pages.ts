import { createHash } from 'node:crypto';
import type { KeptSource } from '../events/shown-event.ts';
import type { HostedCitation } from '../ports/hosted-tools.ts';

/** Characters of the hash that is the id of a page or file. */
const idLength = 22;

/**
 * The pages and files that a reply refers to, found by the provider of the model (contract/knowledge.md#citations). Their numbers begin at
 * `last + 1`. The provider gives no scores, so each score is 0.
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

/** A citation links only to https addresses, because other addresses are read unencrypted. */
function isSecure(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === 'https:';
}
