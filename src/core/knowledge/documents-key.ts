import type { CitedDocument } from './cited-document.ts';

/** The step that holds the documents of a turn. */
export const documentsKey = 'prompt/documents';

/**
 * The titles and contents of a turn's trusted documents. Only the operator can write into the source of a trusted document
 * (contract/knowledge.md#trust).
 */
export function trustedDocuments(record: { get(key: string): unknown }): readonly string[] {
  return documentsIn(record).flatMap(({ isTrusted, title, content }) => (isTrusted ? [title, content] : []));
}

/** The titles and contents of all documents of a turn, as one text each. */
export function documentTexts(record: { get(key: string): unknown }): readonly string[] {
  return documentsIn(record).map(({ title, content }) => `${title}\n${content}`);
}

/** The documents of a turn into whose sources others can write. */
export function untrustedDocuments(record: { get(key: string): unknown }): readonly CitedDocument[] {
  return documentsIn(record).filter(({ isTrusted }) => !isTrusted);
}

function documentsIn(record: { get(key: string): unknown }): readonly CitedDocument[] {
  // Recorded by `documentsBeside`.
  const found = record.get(documentsKey) as { readonly documents: readonly CitedDocument[] } | undefined;
  return found?.documents ?? [];
}
