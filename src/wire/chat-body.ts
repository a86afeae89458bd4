/** Body of `POST {server.ssePath}` (contract/sse.md#asking). */
export const chatBodySchema = {
  type: 'object',
  required: ['message'],
  properties: {
    message: { type: 'string', description: 'A longer one than `maxMessageLength` is a refused turn.' },
    attachments: {
      type: 'array',
      maxItems: 32,
      items: {
        type: 'object',
        required: ['contentType', 'data'],
        properties: {
          name: { type: 'string', maxLength: 255 },
          contentType: { type: 'string', maxLength: 255 },
          data: { type: 'string', description: 'The content in base64.' },
        },
      },
    },
    locale: {
      type: 'string',
      maxLength: 64,
      description:
        'A language tag such as `de-AT`. The answer is in that language where the configuration of the server names none.',
    },
    webhook: {
      type: 'string',
      maxLength: 2000,
      description:
        'With `Prefer: respond-async`, the address that is told how the turn has ended. Its host is one of `server.webhooks.hosts`.',
    },
  },
  examples: [{ message: 'Which orders are open?' }],
} as const;

export interface ChatBody {
  readonly message: string;
  readonly locale?: string;
  readonly webhook?: string;
  readonly attachments?: readonly { readonly name?: string; readonly contentType: string; readonly data: string }[];
}
