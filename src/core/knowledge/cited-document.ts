import { createHash } from 'node:crypto';
import type { SourceKind } from '../events/turn-event.ts';
import type { FoundDocument, KnowledgeSource } from '../ports/knowledge-source.ts';

/** A document that a message is answered with. Its place in the list, from 1, is the number that a reply cites it by. */
export interface CitedDocument {
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  readonly content: string;
  readonly score: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly isTrusted: boolean;
  /** Left out, a document. */
  readonly kind?: SourceKind;
}

/** Characters of a hash that tell documents apart. */
const idLength = 22;

/** The document under an id that goes by its source and its address, so that the same document has the same id tomorrow. */
export function citedDocument(found: FoundDocument, { name, isTrusted }: KnowledgeSource): CitedDocument {
  const { title, content, score, sourceUrl: url, metadata, kind } = found;
  const address = url ?? `${title}\n${content}`;
  const id = createHash('sha256').update(`${name}\n${address}`).digest('base64url').slice(0, idLength);
  return {
    id,
    title,
    content,
    score,
    isTrusted,
    ...(url === undefined ? {} : { url }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(kind === undefined ? {} : { kind }),
  };
}
