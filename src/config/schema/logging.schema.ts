import type { SectionSchema } from './setting-schema.ts';

/** What is logged, and how (contract/operations.md#logs). */
export const loggingSection = {
  title: 'Logging',
  type: 'object',
  additionalProperties: false,
  properties: {
    logging: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        level: {
          type: 'string',
          enum: ['debug', 'info', 'warn', 'error', 'silent'],
          default: 'info',
          description: 'Least level that is logged.',
        },
        format: {
          type: 'string',
          enum: ['auto', 'json', 'pretty'],
          default: 'auto',
          description: 'auto is readable in a terminal and JSON otherwise.',
        },
      },
      description: 'What is logged, and how.',
    },
  },
} as const satisfies SectionSchema;
