import { displayOptions } from './display-options.ts';
import type { SectionSchema } from './setting-schema.ts';

/** Who the assistant is and how it talks (contract/assistant.md). */
export const coreSection = {
  title: 'The application',
  type: 'object',
  additionalProperties: false,
  required: ['appName'],
  properties: {
    appName: {
      type: 'string',
      pattern: '\\S',
      maxLength: 200,
      examples: ['My application'],
      allowed: 'a text that is not blank',
      description: 'Name of your application; the assistant introduces itself with it.',
    },
    appDescription: {
      type: 'string',
      default: '',
      maxLength: 20_000,
      description: 'What your application is for, in plain words; the model reads it with every message.',
    },
    language: {
      ...displayOptions.language,
      default: 'English',
      description:
        "Language of replies and of the widget; unless you set it, the widget's texts are in the page's language.",
    },
    helperLevel: {
      type: 'string',
      enum: ['Minimal', 'Standard', 'Proactive'],
      default: 'Standard',
      description:
        'How much the assistant explains: Minimal gives no explanations or suggestions, Standard is balanced, Proactive explains, suggests next steps and warns of risks.',
    },
  },
} as const satisfies SectionSchema;
