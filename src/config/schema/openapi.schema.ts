import { agentHeaders } from './agent-members.ts';
import type { SettingSchema } from './setting-schema.ts';

const names = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 200 },
  maxItems: 100,
  default: [],
} as const satisfies SettingSchema;

/** A text, or one for each of several languages. */
const localized = (maxLength: number) =>
  ({
    type: ['string', 'object'],
    minLength: 1,
    maxLength,
    propertyNames: {
      pattern: '^(en|it|fr|de|es|pt|nl|pl|ja|zh)$',
      allowed: 'en, it, fr, de, es, pt, nl, pl, ja or zh',
    },
    additionalProperties: { type: 'string', minLength: 1, maxLength },
    allowed: 'a text, or a map of languages to texts, such as { en: Orders, de: Bestellungen }',
  }) as const satisfies SettingSchema;

/** What an entry says of one operation (contract/openapi.md#operations). */
const operationSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name: {
      type: 'string',
      pattern: '^[a-z][a-z0-9_]{0,63}$',
      allowed: 'lower-case letters, digits and underscores, at most 64, beginning with a letter',
      description: 'The name of the tool, in place of that which the document gives.',
    },
    title: { ...localized(200), description: 'What people read, in place of the summary.' },
    description: {
      ...localized(10_000),
      description: 'What the model reads, in place of the summary and the description of the document.',
    },
    confirm: {
      type: 'object',
      additionalProperties: false,
      properties: {
        title: {
          ...localized(200),
          description: 'What the user is asked. {name} stands for the argument of that name.',
        },
        approve: { ...localized(60), description: 'The label of the button that approves.' },
        decline: { ...localized(60), description: 'The label of the button that declines.' },
      },
      description: 'The question in words of its own.',
    },
    readOnly: {
      type: 'boolean',
      description: 'It changes nothing, so it does not ask. Left out: yes for GET and HEAD.',
    },
    requiresConfirmation: { type: 'boolean', description: 'Whether each call asks its user. Left out: a write asks.' },
    destructive: { type: 'boolean', description: 'It cannot be undone: it always asks, and no rule approves it.' },
    trusted: { type: 'boolean', description: 'You vouch for everything that it returns (docs/guides/provenance.md).' },
    requiredRoles: { ...names, description: 'Any one of these roles suffices; empty means everybody.' },
    tenants: { ...names, description: 'Only users of these tenants may use it, by glob; empty means everybody.' },
    examples: {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: 500 },
      maxItems: 20,
      default: [],
      description: 'What users say when they want it.',
    },
    sinks: { ...names, description: 'Arguments that say where something goes, such as a recipient.' },
  },
} as const satisfies SettingSchema;

/** The id of an operation, or its method and path. */
const operationName = {
  pattern: '^[\\s\\S]{1,500}$',
  allowed: 'an operation id, or a method and a path',
} as const satisfies SettingSchema;

/** One entry of `actions.openapi` (contract/openapi.md#configuration). */
export const openapiSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'document', 'baseUrl', 'operations'],
  properties: {
    name: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]{0,63}$',
      allowed: 'lower-case letters, digits and dashes, at most 64, beginning with a letter',
      description: 'Name for messages and /readyz; unique.',
    },
    document: {
      type: 'string',
      minLength: 1,
      maxLength: 2000,
      relativeTo: 'file-unless-address',
      description: 'OpenAPI 3.0 or 3.1, or Swagger 2.0, document in JSON or YAML: a file, or an http or https address.',
    },
    baseUrl: {
      type: 'string',
      format: 'callback-url',
      description:
        'Address before the paths of the document. Its servers are never called. Redirects are not followed.',
    },
    operations: {
      type: ['array', 'object'],
      items: { type: 'string', minLength: 1, maxLength: 500 },
      minItems: 1,
      maxItems: 500,
      propertyNames: operationName,
      additionalProperties: operationSchema,
      allowed: 'a list of names, or a map of a name to what holds for the operation',
      description:
        'Operations that become actions: ids, or methods and paths such as GET /orders/{id}, by glob: * stands for any characters, ? for one.',
    },
    headers: {
      ...agentHeaders,
      description: 'HTTP headers that are sent to the origin of baseUrl, the same for every user.',
    },
    forwardAuthorization: {
      type: 'boolean',
      default: false,
      description: "Sends the user's own bearer token along; only over https or to this machine.",
    },
    timeout: {
      type: 'string',
      format: 'duration',
      positive: true,
      default: '30s',
      description: 'How long a call may take.',
    },
    actions: {
      type: 'object',
      default: {},
      propertyNames: operationName,
      additionalProperties: operationSchema,
      description: 'What holds for single operations, by id or by method and path.',
    },
  },
} as const satisfies SettingSchema;
