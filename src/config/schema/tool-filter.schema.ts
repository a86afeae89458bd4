import type { SectionSchema } from './setting-schema.ts';

/** Which tools the model is sent with a message (contract/tool-filter.md). */
export const toolFilterSection = {
  title: 'Choosing tools',
  type: 'object',
  additionalProperties: false,
  properties: {
    enableToolFiltering: {
      type: 'boolean',
      description:
        'Sends the model only the tools that fit the message, the pages, those used in the conversation, and find_tools, which finds the others. With embeddingGenerator meaning counts beside words. Left out, it does so where the tools weigh more than toolShare, or are more than the 128 that most providers take; false sends all tools with every message.',
    },
    toolShare: {
      needs: [{ setting: 'enableToolFiltering', is: null }],
      type: 'number',
      minimum: 0.01,
      maximum: 1,
      default: 0.3,
      description:
        'The share of contextWindow that tools may weigh before they are chosen without enableToolFiltering. The chosen ones weigh no more than that.',
    },
    toolFilterMaxTools: {
      needs: [{ setting: 'enableToolFiltering', not: false }],
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 20,
      description: 'Tools that are chosen at most. Where there are no more than that, all of them are sent.',
    },
    toolFilterMinScore: {
      needs: [{ setting: 'enableToolFiltering', not: false }, { setting: 'embeddingGenerator' }],
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.25,
      description:
        'With embeddingGenerator: the least cosine similarity of a message and a tool that is chosen for it; one below it is not, whatever words it shares.',
    },
  },
} as const satisfies SectionSchema;
