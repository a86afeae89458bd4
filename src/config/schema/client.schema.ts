import { imageTypes } from './images.schema.ts';
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
        enableImageInput: {
          type: 'boolean',
          default: false,
          description: 'Lets users pick, paste and drop images; the enableImageInput of the server must be on as well.',
        },
        maxImageBytes: {
          type: 'integer',
          minimum: 1,
          maximum: 20_971_520,
          default: 4_194_304,
          unit: 'bytes',
          description: "Largest image the widget sends; larger ones are made smaller. Never more than the server's.",
        },
        maxImagesPerMessage: {
          type: 'integer',
          minimum: 1,
          maximum: 16,
          default: 4,
          unit: 'images',
          description: "Most images of one message. Never more than the server's.",
        },
        allowedImageTypes: {
          type: 'array',
          items: { type: 'string', enum: imageTypes },
          uniqueItems: true,
          minItems: 1,
          default: [...imageTypes],
          description: 'Types of images the widget takes, of those that the server takes.',
        },
        webMcp: {
          type: 'boolean',
          default: false,
          description: 'Tools that the page offers by WebMCP become UI actions, in browsers that have it.',
        },
      },
      description: 'What the widget of your pages offers.',
    },
  },
} as const satisfies SectionSchema;
