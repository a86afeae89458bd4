/** Bodies of `/helper/approve` and `POST /helper/cancel` (contract/confirmations.md#stop): JSON Schemas and their types. */

const id = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' } as const;

export const approveBodySchema = {
  type: 'object',
  required: ['actionId', 'approved'],
  properties: {
    actionId: id,
    approved: { type: 'boolean' },
    remember: {
      type: 'boolean',
      description: 'Do not ask again in this conversation. Needs a question with `canRemember`.',
    },
    arguments: {
      type: 'object',
      description: 'All arguments as the user changed them. Needs a question with `editable`.',
    },
  },
  examples: [{ actionId: 'V2hpY2ggYWN0aW9uPw', approved: true }],
} as const;

export interface ApproveBody {
  readonly actionId: string;
  readonly approved: boolean;
  readonly remember?: boolean;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export const approveAnswerSchema = {
  type: 'object',
  required: ['actionId', 'outcome'],
  properties: { actionId: id, outcome: { enum: ['approved', 'declined'] } },
} as const;

export interface ApproveAnswer {
  readonly actionId: string;
  readonly outcome: 'approved' | 'declined';
}

/** How the action of an approved question ended. */
const endedActionSchema = {
  type: 'object',
  required: ['status', 'at'],
  properties: {
    status: { enum: ['succeeded', 'failed', 'declined', 'refused', 'cancelled', 'unknown'] },
    at: { type: 'string', format: 'date-time' },
  },
} as const;

/** Answer of `GET /helper/approve` (contract/confirmations.md#how-a-question-stands). */
export const confirmationStateSchema = {
  type: 'object',
  required: ['actionId', 'outcome'],
  properties: {
    actionId: id,
    outcome: { enum: ['open', 'approved', 'declined', 'expired', 'cancelled'] },
    action: endedActionSchema,
  },
} as const;

export const cancelBodySchema = {
  type: 'object',
  properties: {
    connectionId: id,
    turnId: id,
  },
  oneOf: [{ required: ['connectionId'] }, { required: ['turnId'] }],
  examples: [{ turnId: 'V2hpY2ggdHVybj8' }],
} as const;

export type CancelBody = { readonly connectionId: string } | { readonly turnId: string };

export const cancelAnswerSchema = {
  type: 'object',
  required: ['stopped'],
  properties: { stopped: { type: 'boolean', description: 'False: nothing ran.' } },
} as const;

export interface CancelAnswer {
  readonly stopped: boolean;
}
