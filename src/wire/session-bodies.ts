import type { TurnHubEvents } from './hub-events.ts';

/** Answer of `GET /helper/session` and body of `POST /helper/session` (wire.md 5): the same. */
export const sessionBodySchema = {
  type: 'object',
  required: ['snapshot'],
  properties: { snapshot: { type: 'string' } },
} as const;

export interface SessionBody {
  readonly snapshot: string;
}

/** Answer of `POST /helper/session`. */
export interface RestoredSession {
  readonly conversationId: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly text: string;
    /** RFC 3339. */
    readonly at: string;
  }[];
  /** As the hub event that was sent to the connection. */
  readonly openConfirmations: readonly TurnHubEvents['ConfirmationRequested'][];
}
