/** `ConfirmationRequested` of `hub-events.ts` as a JSON Schema (contract/events.md#members). */
export const confirmationRequestedSchema = {
  type: 'object',
  required: [
    ...(['turnId', 'seq', 'actionId', 'callId', 'action', 'title', 'description', 'arguments'] as const),
    ...(['agent', 'reason', 'canRemember', 'editable'] as const),
  ],
  properties: {
    turnId: { type: 'string' },
    seq: { type: 'integer' },
    actionId: { type: 'string' },
    callId: { type: 'string' },
    action: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    arguments: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'label', 'value'],
        properties: { name: { type: 'string' }, label: { type: 'string' }, value: {} },
      },
    },
    agent: { type: 'string' },
    reason: { enum: ['write', 'declared', 'policy', 'hosted'] },
    canRemember: { type: 'boolean' },
    editable: { type: 'boolean' },
    destructive: { const: true },
    expiresAt: { type: 'string', format: 'date-time' },
  },
} as const;
