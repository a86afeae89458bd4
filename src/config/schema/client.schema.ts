import type { SectionSchema } from './setting-schema.ts';

/** What the widget's script tells pages beyond the widget options (service.md 2.20, configuration.md 4). */
export const clientSection = {
  title: 'Widget script',
  type: 'object',
  additionalProperties: false,
  properties: {
    client: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        enableSuggestions: {
          type: 'boolean',
          default: false,
          description: 'Shows buttons with first messages before the conversation begins.',
        },
        suggestions: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 120 },
          uniqueItems: true,
          maxItems: 6,
          default: [],
          description:
            'Those messages; empty takes them from the pages and the read-only actions that need no role. Anybody can read them.',
        },
      },
      description: 'What the widget of your pages offers.',
    },
  },
} as const satisfies SectionSchema;
