import type { CitedDocument } from './cited-document.ts';

/** The step that holds the documents of a turn. */
export const documentsKey = 'prompt/documents';

/**
 * Whether a turn has read documents that somebody else may have written into (contract/knowledge.md#trust). What they say may be what
 * asks for an action, so a person decides.
 */
export function hasUntrustedDocuments(record: { get(key: string): unknown }): boolean {
  // Recorded by `documentsBeside`.
  const found = record.get(documentsKey) as { readonly documents: readonly CitedDocument[] } | undefined;
  return found?.documents.some(({ isTrusted }) => !isTrusted) ?? false;
}
