import { createHash } from 'node:crypto';
import type { Restriction } from '../events/shown-event.ts';
import type { SourceKind } from '../events/turn-event.ts';
import { restrictionsOf } from '../identity/may-read.ts';
import type { FoundDocument, KnowledgeSource } from '../ports/knowledge-source.ts';

/** A document that a message is answered with. */
export interface CitedDocument {
  /** What a reply cites it by. Left out, its place in the list, from 1. */
  readonly number?: number;
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  readonly content: string;
  readonly score: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly isTrusted: boolean;
  /** Left out, a document. */
  readonly kind?: SourceKind;
  /** A reader must be let in by each of these: by the source's, and by the document's own. Left out, everybody may read it. */
  readonly access?: readonly Restriction[];
}

/** Characters of a hash that tell documents apart. */
const idLength = 22;

/** The document under an id that goes by its source and its address, so that the same document has the same id tomorrow. */
export function citedDocument(found: FoundDocument, source: KnowledgeSource): CitedDocument {
  const { name, isTrusted } = source;
  const { title, content, score, sourceUrl: url, metadata, kind, restrictions = [] } = found;
  const access = restrictionsOf([source, found, ...restrictions]);
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
    ...(access.length === 0 ? {} : { access }),
  };
}
