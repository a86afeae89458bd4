import { rotating } from './rotating.ts';
import type { SectionSchema, SettingSchema } from './setting-schema.ts';
import { webhookKey } from './webhook-key.ts';

const fileGlobs = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 500 },
  maxItems: 100,
} as const satisfies SettingSchema;

/** One entry of `ragSources` (contract/knowledge.md#sources). Which members a type needs is decided in `rules/knowledge-rules.ts`. */
const sourceSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'name'],
  properties: {
    type: {
      type: 'string',
      enum: ['files', 'http'],
      description:
        'files: a folder that is read and looked through. http: a service of yours that is asked for documents.',
    },
    name: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]{0,63}$',
      allowed: 'lower-case letters, digits and dashes, at most 64, beginning with a letter',
      description: 'Name for messages, metrics and ids of documents; unique.',
    },
    path: {
      type: 'string',
      minLength: 1,
      relativeTo: 'file',
      description: 'Folder of a files source: Markdown, text, HTML, PDF and Word.',
    },
    include: {
      ...fileGlobs,
      description:
        'Files of the folder that are documents: * stands for a part of a name, ** for folders of any depth. Left out, all.',
    },
    exclude: { ...fileGlobs, description: 'Files of the folder that are none.' },
    urlPrefix: {
      type: 'string',
      format: 'page-url',
      description: 'Where the files can be opened: a document has this address with the path of its file behind it.',
    },
    refresh: {
      type: 'string',
      format: 'duration',
      positive: true,
      default: '5m',
      description: 'How often a folder is looked through again.',
    },
    language: {
      type: 'string',
      pattern: '^[a-z]{2}$',
      allowed: 'a code of two letters, such as en or de',
      description: 'Language of all documents of a folder that name none; left out, it is found out.',
    },
    embeddings: {
      type: 'string',
      minLength: 1,
      description:
        'Name of the entry of models, with kind: embeddings, for this folder; left out, embeddingGenerator. Its text is sent there.',
    },
    minCosine: {
      type: 'number',
      minimum: 0.01,
      maximum: 0.99,
      description:
        'Least cosine similarity of a part of a folder that is found by what it means; left out, 0.35. Each model has a scale of its own.',
    },
    url: {
      type: 'string',
      format: 'callback-url',
      description: 'Address of an http source: it answers POST with documents. Redirects are not followed.',
    },
    secret: {
      ...webhookKey,
      type: ['string', 'array'],
      items: webhookKey,
      ...rotating,
      allowed: `${webhookKey.allowed}, or a list of them`,
      description: 'Key that signs every request to an http source (Standard Webhooks), or a list of them.',
    },
    timeout: {
      type: 'string',
      format: 'duration',
      positive: true,
      default: '3s',
      description: 'How long a search may take; then the answer goes on without this source.',
    },
    defaultMinScore: {
      type: 'number',
      minimum: 0,
      description: 'Least score of a document of this source, on its own scale; 0 takes all.',
    },
    requiredRoles: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      default: [],
      description: 'Only users with any one of these roles are answered from it; empty means everybody.',
    },
    tenants: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      default: [],
      description: 'Only users of these tenants are answered from it, by glob: * stands for any characters, ? for one.',
    },
    trusted: {
      type: 'boolean',
      default: false,
      description: 'Its documents are as trusted as this file: nobody else can write into them.',
    },
  },
} as const satisfies SettingSchema;

/** What the assistant knows: documents that messages are answered with (contract/knowledge.md). */
export const knowledgeSection = {
  title: 'Documents',
  type: 'object',
  additionalProperties: false,
  properties: {
    useRag: {
      type: 'boolean',
      default: false,
      description: 'Looks up documents for each message and answers with them.',
    },
    ragSources: {
      needs: [{ setting: 'useRag' }],
      type: 'array',
      items: sourceSchema,
      maxItems: 50,
      default: [],
      description: 'Where documents are looked up, beside the sources of plugins and callbacks.',
    },
    ragResultCount: {
      needs: [{ setting: 'useRag' }],
      type: 'integer',
      minimum: 1,
      maximum: 50,
      default: 5,
      unit: 'documents',
      description: 'Most documents for one message.',
    },
    ragMinScore: {
      needs: [{ setting: 'useRag' }],
      type: 'number',
      minimum: 0,
      description: "Least score of a document, for every source; 0 takes all. Left out, the source's own, else 2.",
    },
    ragSystemPromptTemplate: {
      needs: [{ setting: 'useRag' }],
      type: 'string',
      pattern: '\\{documents\\}',
      allowed: 'a text with {documents} in it',
      maxLength: 10_000,
      default: 'Use the following documents to answer:\n{documents}',
      description: 'What the model reads; {documents} stands for the documents.',
    },
    ragQueryRewrite: {
      needs: [{ setting: 'useRag' }, { setting: 'classifierChatClient' }],
      type: 'boolean',
      default: true,
      description:
        'Asks classifierChatClient, where it is set, for keywords before folders without embeddings are looked through.',
    },
    showRagSources: {
      needs: [{ setting: 'useRag' }],
      type: 'boolean',
      default: false,
      description: 'Shows below a reply which documents it goes by.',
    },
    showRagExcerpts: {
      needs: [{ setting: 'useRag' }, { setting: 'showRagSources' }],
      type: 'boolean',
      default: true,
      description:
        'Shows with those documents the passages that the reply goes by, to whoever may read them. Without effect where replies are checked.',
    },
  },
} as const satisfies SectionSchema;
