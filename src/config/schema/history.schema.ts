import type { SectionSchema } from './setting-schema.ts';

/** How much of a conversation the model is sent (contract/sessions.md#compaction). */
export const historySection = {
  title: 'History',
  type: 'object',
  additionalProperties: false,
  properties: {
    chatHistoryProvider: {
      needs: [{ setting: 'useServiceManagedHistory', not: true }, { setting: 'auth.jwt' }],
      type: ['string', 'null'],
      enum: ['storage', null],
      default: null,
      description:
        'storage keeps the conversations of signed-in users, for them to go back to; for retention.conversations. null keeps none, unless a plugin does.',
    },
    useServiceManagedHistory: {
      type: 'boolean',
      default: false,
      description:
        'Whether the provider keeps the conversations (api: responses), so that each message is sent without those before it.',
    },
    enableCompaction: {
      needs: [{ setting: 'useServiceManagedHistory', not: true }],
      type: 'boolean',
      default: false,
      description: 'Whether the model is sent a long conversation shortened; what is kept and shown stays whole.',
    },
    compactionTokenThreshold: {
      needs: [{ setting: 'enableCompaction' }, { setting: 'useServiceManagedHistory', not: true }],
      type: 'integer',
      minimum: 100,
      default: 4000,
      unit: 'tokens',
      description: 'With enableCompaction, the most tokens of earlier messages that are sent as they are.',
    },
    compactionMaxTurns: {
      needs: [{ setting: 'enableCompaction' }, { setting: 'useServiceManagedHistory', not: true }],
      type: 'integer',
      minimum: 1,
      default: 8,
      unit: 'turns',
      description:
        'With enableCompaction, the last turns that are shortened only when leaving out older ones is not enough.',
    },
    compactionSummary: {
      needs: [{ setting: 'enableCompaction' }, { setting: 'useServiceManagedHistory', not: true }],
      type: 'boolean',
      default: false,
      description:
        'With enableCompaction, whether classifierChatClient sums up once what is left out, so that it is not forgotten.',
    },
  },
} as const satisfies SectionSchema;
