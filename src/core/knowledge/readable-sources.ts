import type { KeptSource, Restriction } from '../events/shown-event.ts';
import type { CitedSource } from '../events/turn-event.ts';
import { mayRead, type Reader } from '../identity/may-read.ts';
import type { CitedDocument } from './cited-document.ts';

/** The step that holds the sources of a turn. */
export const sourcesKey = 'sources';

/** The sources that a turn has recorded. Empty until the reply is complete. */
export function sourcesIn(record: { get(key: string): unknown }): readonly KeptSource[] {
  return (record.get(sourcesKey) as readonly KeptSource[] | undefined) ?? []; // recorded by `tellSources`
}

/** Whether a reader may read a document or a source, with the roles and the tenant that the reader has now. */
export function isReadable({ access = [] }: { readonly access?: readonly Restriction[] }, reader: Reader): boolean {
  return access.every((restriction) => mayRead(restriction, reader));
}

/** The documents that this reader may read. Each keeps the number that it has in the whole list. */
export function documentsFor(documents: readonly CitedDocument[], reader: Reader): readonly CitedDocument[] {
  if (documents.every((document) => isReadable(document, reader))) return documents;
  return documents
    .map((document, index) => ({ number: index + 1, ...document }))
    .filter((document) => isReadable(document, reader));
}

/** The sources that this reader may read (contract/knowledge.md#access), as clients are told of them. */
export function sourcesFor(sources: readonly KeptSource[], reader: Reader): readonly CitedSource[] {
  return sources.filter((source) => isReadable(source, reader)).map(toldSource);
}

/** The part of a source that clients are told. */
export function toldSource({ access: _, ...source }: KeptSource): CitedSource {
  return source;
}
