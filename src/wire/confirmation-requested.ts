const confirmSchema = {
  type: 'object',
  properties: { title: { type: 'string' }, approve: { type: 'string' }, decline: { type: 'string' } },
} as const;

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
    confirm: confirmSchema,
    languages: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          description: { type: 'string' },
          confirm: confirmSchema,
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
    arguments: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'label', 'value'],
        properties: {
          name: { type: 'string' },
          label: { type: 'string' },
          value: {},
          format: { enum: ['date', 'date-time'] },
          notFromUser: { const: true },
          undeclared: { const: true },
        },
      },
    },
    agent: { type: 'string' },
    reason: { enum: ['write', 'declared', 'policy', 'mcp', 'hosted', 'influenced'] },
    canRemember: { type: 'boolean' },
    editable: { type: 'boolean' },
    destructive: { const: true },
    expiresAt: { type: 'string', format: 'date-time' },
    repeats: {
      type: 'object',
      required: ['state', 'at'],
      properties: { state: { enum: ['done', 'tried', 'open'] }, at: { type: 'string', format: 'date-time' } },
    },
    influencedBy: {
      type: 'array',
      items: {
        type: 'object',
        required: ['origin'],
        properties: {
          origin: { enum: ['user', 'operator', 'model', 'action', 'document', 'web', 'mcp', 'remote', 'page'] },
          title: { type: 'string' },
          silent: { const: true },
          foundIn: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
} as const;
