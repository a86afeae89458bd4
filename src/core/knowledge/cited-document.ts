import { createHash } from 'node:crypto';
import type { Restriction } from '../events/shown-event.ts';
import type { SourceKind } from '../events/turn-event.ts';
import { restrictionsOf } from '../identity/may-read.ts';
import type { FoundDocument, KnowledgeSource } from '../ports/knowledge-source.ts';

/** A document that the model is given for the answer to a message. */
export interface CitedDocument {
  /** The number by which a reply cites the document. Left out, the number is the place of the document in the list, counted from 1. */
  readonly number?: number;
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  readonly content: string;
  readonly score: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly isTrusted: boolean;
  /** The default is `document`. */
  readonly kind?: SourceKind;
  /**
   * The restrictions of the source and of the document. A reader must meet every one of them. Left out, everybody may read the document.
   */
  readonly access?: readonly Restriction[];
}

/** Characters of the hash that is the id of a document. */
const idLength = 22;

/** Gives a found document an id. The id depends only on the source and the address, so the same document always has the same id. */
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
