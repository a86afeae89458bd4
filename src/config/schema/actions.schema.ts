import { openapiSchema } from './openapi.schema.ts';
import { rotating } from './rotating.ts';
import type { SectionSchema, SettingSchema } from './setting-schema.ts';
import { webhookKey } from './webhook-key.ts';

/** One entry of `actions.callbacks` (contract/plugins.md#callbacks). */
const callbackSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'url', 'secret'],
  properties: {
    name: {
      type: 'string',
      pattern: '^[a-z][a-z0-9-]{0,63}$',
      allowed: 'lower-case letters, digits and dashes, at most 64, beginning with a letter',
      description: 'Name for messages, metrics and /readyz; unique.',
    },
    url: {
      type: 'string',
      format: 'callback-url',
      description: 'Address that answers GET with the manifest and POST with results. Redirects are not followed.',
    },
    secret: {
      ...webhookKey,
      type: ['string', 'array'],
      items: webhookKey,
      ...rotating,
      allowed: `${webhookKey.allowed}, or a list of them`,
      description:
        'Key that signs every request (Standard Webhooks). With a list every request has one signature for each key, that of the first key first.',
    },
    timeout: {
      type: 'string',
      format: 'duration',
      positive: true,
      default: '30s',
      description: 'How long an action may take that names no timeoutSeconds of its own.',
    },
    forwardAuthorization: {
      type: 'boolean',
      default: false,
      description: "Sends the user's own bearer token along; only over https or to this machine.",
    },
    refresh: {
      type: 'string',
      format: 'duration',
      positive: true,
      default: '5m',
      description: 'How often the manifest is fetched again.',
    },
  },
} as const satisfies SettingSchema;

/** What the assistant can do, and where it can send the user (contract/configuration.md, contract/plugins.md#actions). */
export const actionsSection = {
  title: 'Actions, pages and plugins',
  type: 'object',
  additionalProperties: false,
  required: ['actions'],
  properties: {
    actions: {
      type: ['object', 'string'],
      pattern: '^none$',
      knownValues: ['none'],
      additionalProperties: false,
      properties: {
        plugins: {
          type: 'array',
          items: { type: 'string', minLength: 1, relativeTo: 'file' },
          uniqueItems: true,
          default: [],
          description: 'Directories of plugins, in the order in which their hooks run. Plugins are code.',
        },
        callbacks: {
          type: 'array',
          items: callbackSchema,
          maxItems: 50,
          default: [],
          description: 'Host applications that are asked over HTTP for their actions, and to run them.',
        },
        openapi: {
          type: 'array',
          items: openapiSchema,
          maxItems: 50,
          default: [],
          description: 'APIs whose operations become actions, as their OpenAPI documents describe them.',
        },
      },
      examples: ['none'],
      allowed: '{ plugins: [DIR, …], callbacks: [{ … }, …], openapi: [{ … }, …] }, or none',
      description: 'Where actions come from. An assistant without any says so on purpose: actions: none.',
    },
    pages: {
      type: 'array',
      default: [],
      maxItems: 500,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'title', 'url', 'description'],
        properties: {
          name: {
            type: 'string',
            pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
            allowed: 'letters, digits, dots, dashes and underscores, at most 64',
            description: 'Name the model uses; unique.',
          },
          title: { type: 'string', minLength: 1, maxLength: 200, description: 'What the user reads.' },
          url: {
            type: 'string',
            format: 'page-url',
            description: 'Relative to the host application, or https; may hold {name} placeholders.',
          },
          description: {
            type: 'string',
            minLength: 1,
            maxLength: 2000,
            description: 'What the model reads to decide whether to send the user there.',
          },
          query: {
            type: 'array',
            items: { type: 'string', minLength: 1, maxLength: 100 },
            maxItems: 50,
            uniqueItems: true,
            description: 'Names that the model may add to the query of url, beside its placeholders; left out, none.',
          },
          requiredRoles: {
            type: 'array',
            items: { type: 'string', minLength: 1 },
            default: [],
            description: 'Any one of these roles suffices; empty means everybody.',
          },
          selector: {
            type: 'string',
            minLength: 1,
            maxLength: 500,
            description: 'CSS selector of the element that the onboarding tour points at.',
          },
          placement: {
            type: 'string',
            enum: ['top', 'bottom', 'left', 'right'],
            description: 'Side of that element on which the step stands; left out, where there is room.',
          },
        },
      },
      description: 'Pages of your application that the model may send the user to, beside those of plugins.',
    },
    pluginOptions: {
      type: 'object',
      default: {},
      propertyNames: {
        pattern: '^[a-z][a-z0-9-]{0,63}$',
        allowed: "a plugin's name: lower-case letters, digits and dashes",
      },
      additionalProperties: { type: 'object', additionalProperties: {} },
      description: "Settings of plugins by plugin name, checked against the plugin's own configSchema.",
    },
  },
} as const satisfies SectionSchema;
