import type { SectionSchema } from './setting-schema.ts';

/** How long each kind of data is kept (contract/operations.md#retention). */
export const retentionSection = {
  title: 'Retention',
  type: 'object',
  additionalProperties: false,
  properties: {
    retention: {
      type: 'object',
      default: {},
      additionalProperties: false,
      properties: {
        memory: {
          type: 'string',
          format: 'age-or-none',
          positive: true,
          default: 'none',
          description:
            'How long facts about users are kept after they were said or corrected. What is older is deleted once a day. none: until the user erases them.',
        },
        conversations: {
          needs: [{ setting: 'chatHistoryProvider' }],
          type: 'string',
          format: 'age',
          positive: true,
          default: '90d',
          description:
            'With chatHistoryProvider, how long a conversation is kept after its last message. What is older is deleted once a day.',
        },
        journal: {
          type: 'string',
          format: 'age',
          positive: true,
          default: '180d',
          description:
            'How long the journal of confirmed actions is kept after they are over; at least dataProtection.maxAge. What is older is deleted once a day.',
        },
      },
      description: 'How long what is stored is kept.',
    },
  },
} as const satisfies SectionSchema;
