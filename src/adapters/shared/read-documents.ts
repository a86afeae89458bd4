import type { SourceKind } from '../../core/events/turn-event.ts';
import type { FoundDocument, KnowledgeAnswer } from '../../core/ports/knowledge-source.ts';
import { compileSchemaCheck, type SchemaCheck } from './json-schema-check.ts';
import { isReaderKey } from './is-reader-key.ts';
import { pageUrlFault } from './page-url-fault.ts';

/** More documents than anybody is answered with. */
const mostDocuments = 200;
/** Characters of a text that are kept: a document is a passage, not a book. */
const longest = { content: 8_000, title: 300, url: 2_000, fact: 500 } as const;
const mostFacts = 20;

const text = { type: 'string' } as const;

const answerSchema = {
  type: 'object',
  required: ['documents'],
  properties: {
    documents: {
      type: 'array',
      items: {
        type: 'object',
        required: ['content', 'score'],
        properties: {
          content: text,
          title: { type: ['string', 'null'] },
          sourceUrl: { type: ['string', 'null'] },
          score: { type: 'number' },
          kind: { enum: ['document', 'web', 'file', null] },
          metadata: { type: ['object', 'null'], additionalProperties: { type: ['string', 'number', 'boolean'] } },
          requiredRoles: { type: ['array', 'null'], items: text },
          tenants: { type: ['array', 'null'], items: text },
        },
      },
    },
    defaultMinScore: { type: ['number', 'null'], minimum: 0 },
  },
} as const;

interface ForeignDocument {
  readonly content: string;
  readonly title?: string | null;
  readonly sourceUrl?: string | null;
  readonly score: number;
  readonly kind?: SourceKind | null;
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null;
  readonly requiredRoles?: readonly string[] | null;
  readonly tenants?: readonly string[] | null;
}

let check: SchemaCheck | undefined;

/**
 * What a source that somebody else wrote has answered, cut to what is of use (contract/knowledge.md#sources). An address that is neither
 * relative nor https is left out. @throws Error saying what is wrong with the answer.
 */
export function readDocuments(answer: unknown): KnowledgeAnswer {
  check ??= compileSchemaCheck(answerSchema, 'keepsValue');
  const [fault] = check(answer);
  if (fault !== undefined)
    throw new Error(`the documents are not valid: ${fault.path || 'the answer'} ${fault.message}`);
  const { documents, defaultMinScore } = answer as {
    readonly documents: readonly ForeignDocument[];
    readonly defaultMinScore?: number | null;
  }; // its schema has spoken
  refuseMisspelt(answer, []);
  for (const document of documents) refuseMisspelt(document, ['requiredRoles', 'tenants']);
  return {
    documents: documents.slice(0, mostDocuments).map(readDocument),
    defaultMinScore: defaultMinScore ?? undefined,
  };
}

/** A member that is nearly right, or stands elsewhere, was meant to keep somebody out: then nobody is answered from any of them. */
function refuseMisspelt(value: unknown, known: readonly string[]): void {
  const names = Object.keys(value as object); // its schema says that it is an object
  const misspelt = names.find((name) => isReaderKey(name) && !known.includes(name));
  if (misspelt === undefined) return;
  const shown = misspelt.replace(/[^\p{L}\p{N}_. -]/gu, '?').slice(0, 64);
  throw new Error(`the documents are not valid: "${shown}" says nothing; requiredRoles and tenants of a document do`);
}

function readDocument({ content, title, sourceUrl, score, kind, metadata, ...access }: ForeignDocument): FoundDocument {
  if (!Number.isFinite(score)) throw new Error('the documents are not valid: a score is not a number');
  const url = sourceUrl ?? '';
  const isOpen = url !== '' && url.length <= longest.url && pageUrlFault(url) === undefined && !/[{}]/.test(url);
  const facts = Object.entries(metadata ?? {}).slice(0, mostFacts);
  return {
    content: content.slice(0, longest.content),
    title: (title ?? url).slice(0, longest.title),
    score,
    ...(kind === undefined || kind === null ? {} : { kind }),
    ...(isOpen ? { sourceUrl: url } : {}),
    ...(facts.length === 0
      ? {}
      : { metadata: Object.fromEntries(facts.map(([key, value]) => [cut(key), cut(String(value))])) }),
    requiredRoles: access.requiredRoles ?? [],
    tenants: access.tenants ?? [],
  };
}

function cut(value: string): string {
  return value.slice(0, longest.fact);
}
