import { confirmationRequestedSchema } from './confirmation-requested.ts';
import { feedbackSchema, type ShownFeedback } from './feedback-body.ts';
import type { TurnEventHead, TurnHubEvents } from './hub-events.ts';

/** Answer of `GET /helper/session` and body of `POST /helper/session` (contract/sessions.md#snapshots): the same. */
export const sessionBodySchema = {
  type: 'object',
  required: ['snapshot'],
  properties: { snapshot: { type: 'string', description: 'Opaque: sealed by the server, for this user alone.' } },
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
  | 'RagSourcesReady'
  | 'ErrorOccurred';

/** A part of an answer: a text, or an event that came with it. An event has the same form as on the hub, without its place in a turn. */
export type AnswerPart =
  | { readonly event: 'TextDelta'; readonly text: string }
  /** Last, where the user stopped it, and where it has receipts. */
  | ({ readonly event: 'TurnCompleted' } & Pick<TurnHubEvents['TurnCompleted'], 'status' | 'text' | 'receipts'>)
  | { [Name in ShownName]: { readonly event: Name } & Omit<TurnHubEvents[Name], keyof TurnEventHead> }[ShownName];

/** Answer of `POST /helper/session` (contract/sessions.md#restoring). */
export const restoredSessionSchema = {
  type: 'object',
  required: ['conversationId', 'messages', 'openConfirmations'],
  properties: {
    conversationId: { type: 'string' },
    messages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['role', 'text', 'at'],
        properties: {
          role: { enum: ['user', 'assistant'] },
          text: { type: 'string' },
          at: { type: 'string', format: 'date-time' },
          turnId: { type: 'string', description: 'Of the turn that a message of the user began.' },
          feedback: feedbackSchema,
          answer: {
            type: 'array',
            description: 'What was shown in answer, in order: the members of events, without their place in a turn.',
            items: {
              type: 'object',
              required: ['event'],
              properties: { event: { type: 'string' } },
              additionalProperties: true,
            },
          },
        },
      },
    },
    openConfirmations: { type: 'array', items: confirmationRequestedSchema },
  },
} as const;

/** Answer of `POST /helper/session`. */
export interface RestoredSession {
  readonly conversationId: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly text: string;
    /** RFC 3339. */
    readonly at: string;
    /** The turn that a message of the user began, where that is known. */
    readonly turnId?: string;
    /** What the user thinks of the reply to this message. */
    readonly feedback?: ShownFeedback;
    /** Everything that was shown in answer to a user's message, in order. Absent when the answer was only text. */
    readonly answer?: readonly AnswerPart[];
  }[];
  /** The form is that of the hub event that was sent to the connection. */
  readonly openConfirmations: readonly TurnHubEvents['ConfirmationRequested'][];
}
