import type { CitedDocument } from './cited-document.ts';

/** The step that holds the documents of a turn. */
export const documentsKey = 'prompt/documents';

/**
 * The titles and contents of a turn's trusted documents. Only the operator can write into the source of a trusted document
 * (contract/knowledge.md#trust).
 */
export function trustedDocuments(record: { get(key: string): unknown }): readonly string[] {
  // Recorded by `documentsBeside`.
  const found = record.get(documentsKey) as { readonly documents: readonly CitedDocument[] } | undefined;
  return found?.documents.flatMap(({ isTrusted, title, content }) => (isTrusted ? [title, content] : [])) ?? [];
}
