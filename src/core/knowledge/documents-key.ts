import type { CitedDocument } from './cited-document.ts';

/** The step that holds the documents of a turn. */
export const documentsKey = 'prompt/documents';

/** What the documents of a turn say whose sources nobody but the operator can write into (contract/knowledge.md#trust). */
export function trustedDocuments(record: { get(key: string): unknown }): readonly string[] {
  // Recorded by `documentsBeside`.
  const found = record.get(documentsKey) as { readonly documents: readonly CitedDocument[] } | undefined;
  return found?.documents.flatMap(({ isTrusted, title, content }) => (isTrusted ? [title, content] : [])) ?? [];
}
