import type { SourceKind } from '../../core/events/turn-event.ts';
import type { FoundDocument, KnowledgeAnswer } from '../../core/ports/knowledge-source.ts';
import { compileSchemaCheck, type SchemaCheck } from './json-schema-check.ts';
import { isReaderKey } from './is-reader-key.ts';
import { pageUrlFault } from './page-url-fault.ts';

/** The most documents of one answer. No caller gets more. */
const mostDocuments = 200;
/** The most characters of each text that is kept. A document is a passage, not a book. */
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
 * Reads the answer of a foreign source, cut to a useful size (contract/knowledge.md#sources). An address that is neither relative nor https
 * is left out.
 * @throws Error that says what is wrong with the answer.
 */
export function readDocuments(answer: unknown): KnowledgeAnswer {
  check ??= compileSchemaCheck(answerSchema, 'keepsValue');
  const [fault] = check(answer);
  if (fault !== undefined)
    throw new Error(`the documents are not valid: ${fault.path || 'the answer'} ${fault.message}`);
  const { documents, defaultMinScore } = answer as {
    readonly documents: readonly ForeignDocument[];
    readonly defaultMinScore?: number | null;
  }; // the schema has checked it
  refuseMisspelt(answer, []);
  for (const document of documents) refuseMisspelt(document, ['requiredRoles', 'tenants']);
  return {
    documents: documents.slice(0, mostDocuments).map(readDocument),
    defaultMinScore: defaultMinScore ?? undefined,
  };
}

/**
 * Refuses an answer with a member that nearly names readers, or that names them in the wrong place. Whoever wrote it wanted to keep
 * somebody out, so none of the documents is used.
 */
function refuseMisspelt(value: unknown, known: readonly string[]): void {
  const names = Object.keys(value as object); // the schema has checked that it is an object
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
