import type { SectionSchema } from './setting-schema.ts';
import { regularExpression, toolGlob } from './tool-glob.ts';

/** What happens to a tool's result or exception before anybody reads it (contract/errors.md#faults-of-actions). */
export const resultsSection = {
  title: 'Results and exceptions of tools',
  type: 'object',
  additionalProperties: false,
  properties: {
    onToolResult: {
      type: 'array',
      default: [],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['tool'],
        properties: {
          tool: toolGlob,
          remove: {
            type: 'array',
            items: { type: 'string', format: 'json-pointer' },
            description:
              'JSON pointers of what is taken out of the result, such as /customer/email; * as a part stands for every element.',
          },
          replace: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['pattern', 'with'],
              properties: {
                pattern: { ...regularExpression, description: 'Regular expression, replaced wherever it matches.' },
                with: { type: 'string', description: 'Text that takes its place.' },
              },
            },
            description: 'Replacements in every text of the result.',
          },
        },
      },
      description: 'Redacts results of tools before the model reads them; each entry removes or replaces.',
    },
    onException: {
      type: 'array',
      default: [],
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['tool', 'message'],
        properties: {
          tool: toolGlob,
          error: {
            ...regularExpression,
            description: "Regular expression that the exception's message must match; left out, any matches.",
          },
          message: { type: 'string', minLength: 1, maxLength: 2000, description: 'What the user and the model read.' },
        },
      },
      description: 'Messages shown in place of exceptions of tools; the first entry that matches counts.',
    },
  },
} as const satisfies SectionSchema;
