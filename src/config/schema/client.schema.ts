import type { SectionSchema, SettingSchema } from './setting-schema.ts';

/** null takes what the widget option of the same name says (configuration.md 4). */
const asTopLevel = { type: ['boolean', 'null'], default: null } as const satisfies SettingSchema;

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
        enableOnboardingTour: { ...asTopLevel, description: 'null takes enableOnboardingTour of the top level.' },
        tourUrl: {
          type: 'string',
          format: 'asset-url',
          maxLength: 2000,
          default: '/helper/tour',
          description:
            'Where the steps of the tour come from; a path is one of this server, below server.basePath. Point it at a file of your own to write the tour yourself.',
        },
        enableVoiceInput: { ...asTopLevel, description: 'null takes enableVoiceInput of the top level.' },
        enableVoiceOutput: { ...asTopLevel, description: 'null takes enableVoiceOutput of the top level.' },
        voiceStreaming: { ...asTopLevel, description: 'null takes voiceStreaming of the top level.' },
        voiceBargeIn: { ...asTopLevel, description: 'null takes voiceBargeIn of the top level.' },
        voiceHandsFree: { ...asTopLevel, description: 'null takes voiceHandsFree of the top level.' },
        voiceRate: {
          type: ['number', 'null'],
          minimum: 0.1,
          maximum: 10,
          default: null,
          description: 'null takes voiceRate of the top level.',
        },
      },
      description: 'What the widget of your pages offers.',
    },
  },
} as const satisfies SectionSchema;
