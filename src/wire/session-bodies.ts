import type { TurnEventHead, TurnHubEvents } from './hub-events.ts';

/** Answer of `GET /helper/session` and body of `POST /helper/session` (contract/sessions.md#snapshots): the same. */
export const sessionBodySchema = {
  type: 'object',
  required: ['snapshot'],
  properties: { snapshot: { type: 'string' } },
} as const;

export interface SessionBody {
  readonly snapshot: string;
}

type ShownName =
  | 'ConfirmationRequested'
  | 'ConfirmationResolved'
  | 'ActionExecuting'
  | 'ActionCompleted'
  | 'CardReady'
  | 'NavigationRequested'
  | 'ErrorOccurred';

/** A text of an answer, or an event that was told beside it: as on the hub, without its place in a turn. */
export type AnswerPart =
  | { readonly event: 'TextDelta'; readonly text: string }
  /** Last, where the user stopped it. */
  | { readonly event: 'TurnCompleted'; readonly status: 'stopped'; readonly text: string }
  | { [Name in ShownName]: { readonly event: Name } & Omit<TurnHubEvents[Name], keyof TurnEventHead> }[ShownName];

/** Answer of `POST /helper/session`. */
export interface RestoredSession {
  readonly conversationId: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly text: string;
    /** RFC 3339. */
    readonly at: string;
    /** Of a user's message: all that was shown in answer to it, in order. Absent where that was text alone. */
    readonly answer?: readonly AnswerPart[];
  }[];
  /** As the hub event that was sent to the connection. */
  readonly openConfirmations: readonly TurnHubEvents['ConfirmationRequested'][];
}
