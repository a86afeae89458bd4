import type { SectionSchema } from './setting-schema.ts';

/** Limits of a message, a turn and a conversation (contract/limits.md#messages and contract/sessions.md#length). */
export const limitsSection = {
  title: 'Limits',
  type: 'object',
  additionalProperties: false,
  properties: {
    maxMessageLength: {
      type: 'integer',
      minimum: 0,
      default: 4000,
      unit: 'characters',
      description: 'Longest message, checked before the model is called; 0 means no limit.',
    },
    rateLimitPerUser: {
      type: 'integer',
      minimum: 0,
      default: 0,
      unit: 'messages',
      description: 'Most messages of one user in a window; 0 means no limit.',
    },
    rateLimitWindowSecs: {
      needs: [{ setting: 'rateLimitPerUser' }],
      type: 'integer',
      minimum: 1,
      maximum: 31_536_000,
      default: 60,
      unit: 'seconds',
      description: 'Length of that window, which begins with the first message of the user.',
    },
    maxToolRounds: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 12,
      unit: 'rounds',
      description:
        'Most rounds of model and tools in one turn; then the model is asked for a final answer without tools.',
    },
    loopGuard: {
      type: 'integer',
      minimum: 0,
      maximum: 100,
      default: 3,
      unit: 'repetitions',
      description:
        'Which repetition of the same call with the same arguments in one turn is not made any more; the model gets a hint in its place. 0 makes all.',
    },
    maxSessionMessages: {
      type: 'integer',
      default: 50,
      unit: 'messages',
      description: 'Most messages of a conversation sent to the model; 0 or less never trims.',
    },
  },
} as const satisfies SectionSchema;
