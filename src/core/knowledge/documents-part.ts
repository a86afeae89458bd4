import { delimited } from '../prompt/delimited.ts';
import type { Influence } from '../events/turn-event.ts';
import type { PromptPart } from '../prompt/user-message.ts';
import { influenceOf, joinInfluences } from '../provenance/influences.ts';
import type { CitedDocument } from './cited-document.ts';

/** The text in `ragSystemPromptTemplate` that is replaced by the documents. */
const placeholder = '{documents}';

/**
 * The text with the documents that the model is sent with one message (contract/knowledge.md#prompt). The documents are numbered delimited
 * data in the words of the template. Empty without a document.
 */
export function documentsPart(documents: readonly CitedDocument[], template: string): PromptPart {
  const origin = documents.every(({ isTrusted }) => isTrusted) ? 'operator' : 'document';
  if (documents.length === 0) return { text: '', origin };
  const numbered = documents.map(({ number, title, url, metadata = {}, content }, index) => {
    const facts = Object.entries(metadata).map(([key, value]) => `${key}: ${value}`);
    const about = { title, ...(url === undefined ? {} : { url }), ...(facts.length === 0 ? {} : { facts }) };
    return delimited(`document ${String(number ?? index + 1)}`, { ...about, content });
  });
  const influencedBy = joinInfluences(...documents.map(influenceOfDocument));
  return { text: template.replaceAll(placeholder, () => numbered.join('\n')), origin, influencedBy };
}

/** The influence of a document. Empty where its source is trusted. */
export function influenceOfDocument({ isTrusted, kind, title }: CitedDocument): readonly Influence[] {
  return isTrusted ? [] : influenceOf(kind === 'web' ? 'web' : 'document', title);
}
