/** Answer of `GET /helper/follow-ups` (contract/sessions.md#follow-ups): JSON Schema and type. */

const lines = { type: 'array', maxItems: 3, items: { type: 'string', minLength: 1, maxLength: 80 } } as const;

export const followUpsBodySchema = {
  type: 'object',
  required: ['messages', 'pages'],
  additionalProperties: false,
  properties: {
    messages: { ...lines, description: 'Messages of the user, as they are.' },
    pages: { ...lines, description: 'Titles of pages that the user may want to go to.' },
  },
  examples: [{ messages: ['When will it arrive?'], pages: ['All orders'] }],
} as const;

export interface FollowUpsBody {
  readonly messages: readonly string[];
  readonly pages: readonly string[];
}
