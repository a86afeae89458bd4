import type { SectionSchema } from './setting-schema.ts';

/** Files that users send to be read (contract/files.md). */
export const filesSection = {
  title: 'Files',
  type: 'object',
  additionalProperties: false,
  properties: {
    enableFileInput: {
      type: 'boolean',
      default: false,
      description: 'Takes files that users send with a message, and reads their text.',
    },
    maxFileBytes: {
      needs: [{ setting: 'enableFileInput' }],
      type: 'string',
      format: 'size',
      positive: true,
      default: '4MiB',
      description: 'Largest file, at most 20MiB; a larger one refuses its message.',
    },
    maxFilesPerMessage: {
      needs: [{ setting: 'enableFileInput' }],
      type: 'integer',
      minimum: 1,
      maximum: 16,
      default: 4,
      unit: 'files',
      description: 'Most files of one message; more refuse it.',
    },
    maxFileCharacters: {
      needs: [{ setting: 'enableFileInput' }],
      type: 'integer',
      minimum: 1_000,
      maximum: 1_000_000,
      default: 60_000,
      unit: 'characters',
      description:
        'Most text that all files of a message bring to the model; what is longer is cut, and the user told.',
    },
    allowedFileTypes: {
      needs: [{ setting: 'enableFileInput' }],
      type: 'array',
      items: {
        type: 'string',
        enum: [
          'application/pdf',
          'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
          'text/markdown',
          'text/csv',
          'text/plain',
        ],
      },
      uniqueItems: true,
      minItems: 1,
      default: [
        'application/pdf',
        'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        'text/markdown',
        'text/csv',
        'text/plain',
      ],
      description: 'Types of files that are taken, by their content; others are left out with a warning.',
    },
  },
} as const satisfies SectionSchema;
