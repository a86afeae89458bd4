import type { SectionSchema } from './setting-schema.ts';

/** What the assistant can do, and where it can send the user (configuration.md 2, extending.md 1). */
export const actionsSection = {
  title: 'Actions, pages and plugins',
  type: 'object',
  additionalProperties: false,
  required: ['actions'],
  properties: {
    actions: {
      anyOf: [
        { type: 'string', const: 'none' },
        {
          type: 'object',
          additionalProperties: false,
          required: ['plugins'],
          properties: {
            plugins: {
              type: 'array',
              items: { type: 'string', minLength: 1, relativeTo: 'file' },
              uniqueItems: true,
              description: 'Directories of plugins, in the order in which their hooks run. Plugins are code.',
            },
          },
        },
      ],
      examples: ['none'],
      allowed: '{ plugins: [DIR, …] }, or none',
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
          requiredRoles: {
            type: 'array',
            items: { type: 'string', minLength: 1 },
            default: [],
            description: 'Any one of these roles suffices; empty means everybody.',
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
