import type { SectionSchema } from './setting-schema.ts';

/** The keys of session snapshots (contract/sessions.md#snapshots). */
export const dataProtectionSection = {
  title: 'Data protection',
  type: 'object',
  additionalProperties: false,
  properties: {
    dataProtection: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        keys: {
          type: 'array',
          items: { type: 'string', format: 'key', secret: true },
          default: [],
          description:
            'Keys of snapshots and of kept turns, 32 bytes in base64 each: the first one seals, all of them open. Without keys and keyFile one is made and kept under storage.path.',
        },
        keyFile: {
          type: ['string', 'null'],
          minLength: 1,
          relativeTo: 'file-or-working-directory',
          default: null,
          description:
            'JSON file {"keys": […]} with such keys, used after those of keys; relative to the folder of this file or, set by HELPER__DATAPROTECTION__KEYFILE, to the working directory.',
        },
        maxAge: {
          type: 'string',
          format: 'age',
          positive: true,
          default: '30d',
          description: 'How long a snapshot can be restored.',
        },
      },
      description: 'How saved conversations are protected.',
    },
  },
} as const satisfies SectionSchema;
