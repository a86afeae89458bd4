/** Bodies of `POST /helper/approve` and `POST /helper/cancel` (contract/confirmations.md#stop): JSON Schemas and their types. */

export const approveBodySchema = {
  type: 'object',
  required: ['actionId', 'approved'],
  properties: {
    actionId: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
    approved: { type: 'boolean' },
    remember: { type: 'boolean' },
    arguments: { type: 'object' },
  },
} as const;

export interface ApproveBody {
  readonly actionId: string;
  readonly approved: boolean;
  readonly remember?: boolean;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export interface ApproveAnswer {
  readonly actionId: string;
  readonly outcome: 'approved' | 'declined';
}

export const cancelBodySchema = {
  type: 'object',
  properties: {
    connectionId: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
    turnId: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' },
  },
  oneOf: [{ required: ['connectionId'] }, { required: ['turnId'] }],
} as const;

export type CancelBody = { readonly connectionId: string } | { readonly turnId: string };

export interface CancelAnswer {
  readonly stopped: boolean;
}
