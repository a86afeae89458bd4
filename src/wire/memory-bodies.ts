/** Body of `PATCH /helper/memory` (contract/memory.md#requests). */
export const correctionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: { text: { type: 'string', minLength: 1, maxLength: 300 } },
} as const;

/** Body of `PATCH /helper/memory`. */
export interface Correction {
  readonly text: string;
}

/** Answer of `GET /helper/memory` (contract/memory.md#requests). */
export const rememberedFactsSchema = {
  type: 'object',
  required: ['facts'],
  properties: {
    facts: {
      type: 'array',
      description: 'The newest first.',
      items: {
        type: 'object',
        required: ['id', 'kind', 'text', 'at'],
        properties: {
          id: { type: 'string' },
          kind: { enum: ['identity', 'preference', 'fact'] },
          text: { type: 'string', maxLength: 300 },
          at: { type: 'string', format: 'date-time' },
          conversationId: { type: 'string', description: 'The conversation in which it was said.' },
        },
      },
    },
  },
} as const;

/** Answer of `GET /helper/memory`. */
export interface RememberedFacts {
  readonly facts: readonly {
    readonly id: string;
    readonly kind: 'identity' | 'preference' | 'fact';
    readonly text: string;
    /** RFC 3339. */
    readonly at: string;
    readonly conversationId?: string;
  }[];
}
