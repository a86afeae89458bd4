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
          enum: ['embedded', 'postgres', 'memory'],
          default: 'embedded',
          description: 'embedded keeps an SQLite file, postgres a database of PostgreSQL, memory keeps nothing.',
        },
        path: {
          type: 'string',
          minLength: 1,
          relativeTo: 'file-or-working-directory',
          default: './data',
          description:
            'Folder of the SQLite file, and of what each server keeps for itself, relative to the folder of this file; set by HELPER__STORAGE__PATH, to the working directory. One server at a time uses it.',
        },
        url: {
          needs: [{ setting: 'storage.type', is: 'postgres' }],
          type: ['string', 'null'],
          pattern: '^postgres(ql)?://.',
          allowed: 'an address such as postgres://user:password@host:5432/database',
          secret: true,
          default: null,
          description: 'With type postgres, the address of the database (PostgreSQL 15 or newer).',
        },
        maxConnections: {
          needs: [{ setting: 'storage.type', is: 'postgres' }],
          type: 'integer',
          minimum: 2,
          maximum: 500,
          default: 10,
          description: 'With type postgres, the most connections of this server to the database.',
        },
      },
      description: 'What lasts, and where.',
    },
  },
} as const satisfies SectionSchema;
