import type { SectionSchema } from './setting-schema.ts';

/** What is remembered about users across conversations (contract/memory.md). */
export const memorySection = {
  title: 'Memory',
  type: 'object',
  additionalProperties: false,
  properties: {
    useMemoryContext: {
      type: 'boolean',
      default: false,
      description: 'Remembers facts about users across their conversations, and answers with them.',
    },
    memoryContextCount: {
      needs: [{ setting: 'useMemoryContext' }],
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 10,
      unit: 'facts',
      description: 'Most facts that a message is answered with; who the user is and what the user prefers come first.',
    },
    memoryRelevanceFiltering: {
      needs: [{ setting: 'useMemoryContext' }],
      type: 'boolean',
      default: false,
      description:
        'Of other facts, answers only with those that have to do with the message, by words and embeddingGenerator; left out, with the newest.',
    },
    memoryAutoCapture: {
      needs: [{ setting: 'useMemoryContext' }],
      type: 'boolean',
      default: true,
      description:
        'With useMemoryContext, looks for facts in what users say, with one call of classifierChatClient after each message.',
    },
  },
} as const satisfies SectionSchema;
