import type { SectionSchema } from './setting-schema.ts';

/** What lasts, and where (contract/restarts.md). */
export const storageSection = {
  title: 'Storage',
  type: 'object',
  additionalProperties: false,
  properties: {
    storage: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        type: {
          type: 'string',
          enum: ['embedded', 'memory'],
          default: 'embedded',
          description: 'embedded keeps an SQLite file, memory keeps nothing.',
        },
        path: {
          type: 'string',
          minLength: 1,
          relativeTo: 'file-or-working-directory',
          default: './data',
          description:
            'Folder of the SQLite file, relative to the folder of this file; set by HELPER__STORAGE__PATH, to the working directory. One server at a time uses it.',
        },
      },
      description: 'What lasts, and where.',
    },
  },
} as const satisfies SectionSchema;
