import { feedbackSchema, type ShownFeedback } from './feedback-body.ts';
import type { Receipt } from './hub-events.ts';

/** Requests and answers of `/helper/conversations` and `/helper/user-data` (contract/sessions.md#kept-conversations): schemas and types. */

const id = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** The query of `GET /helper/conversations`. */
export const conversationsQuerySchema = {
  type: 'object',
  properties: {
    before: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,200}$', description: '`next` of the page before this one.' },
    limit: { type: 'string', pattern: '^([1-9][0-9]?|100)$', description: 'From 1 to 100; 50 where it is left out.' },
  },
} as const;

/** Answer of `GET /helper/conversations`. */
export const conversationsAnswerSchema = {
  type: 'object',
  required: ['conversations'],
  properties: {
    conversations: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'title', 'startedAt', 'lastAt'],
        properties: { id, title: { type: 'string' }, startedAt: time, lastAt: time },
      },
    },
    next: { type: 'string', description: 'There is another page: ask for it with `before`.' },
  },
} as const;

/** A conversation in a list. Times are RFC 3339. */
export interface ListedConversation {
  readonly id: string;
  /** Empty when the user has not typed anything yet. */
  readonly title: string;
  readonly startedAt: string;
  readonly lastAt: string;
}

/** Answer of `GET /helper/conversations`: the newest first. */
export interface ConversationsAnswer {
  readonly conversations: readonly ListedConversation[];
  /** The value of `before` that returns the next page. Left out on the last page. */
  readonly next?: string;
}

/** Names one conversation in the path. */
export const conversationParamsSchema = { type: 'object', required: ['id'], properties: { id } } as const;

/** A receipt (contract/events.md#receipts). */
const receiptSchema = {
  type: 'object',
  required: ['callId', 'action', 'title', 'status', 'at'],
  properties: {
    callId: { type: 'string' },
    action: { type: 'string' },
    title: { type: 'string' },
    status: { enum: ['succeeded', 'failed', 'declined', 'refused', 'cancelled', 'unknown'] },
    at: time,
  },
} as const;

/** Answer of `GET /helper/conversations/{id}`. */
export const conversationAnswerSchema = {
  type: 'object',
  required: ['id', 'title', 'messages'],
  properties: {
    id,
    title: { type: 'string' },
    messages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['role', 'text', 'at'],
        properties: {
          role: { enum: ['user', 'assistant'] },
          text: { type: 'string' },
          at: time,
          turnId: { type: 'string', description: 'Of the turn that a message of the user began.' },
          feedback: feedbackSchema,
          receipts: {
            type: 'array',
            items: receiptSchema,
            description: 'Of the last message of a turn: what became of its calls that would change something.',
          },
        },
      },
    },
  },
} as const;

/** Answer of `GET /helper/conversations/{id}`. Times are RFC 3339. */
export interface ConversationAnswer {
  readonly id: string;
  readonly title: string;
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly text: string;
    readonly at: string;
    /** The turn that a message of the user began, where that is known. */
    readonly turnId?: string;
    /** What the user thinks of the reply to this message. */
    readonly feedback?: ShownFeedback;
    /** The results of the turn's calls that would change something. Only the last message of a turn has them. */
    readonly receipts?: readonly Receipt[];
  }[];
}

/** Body of `PATCH /helper/conversations/{id}`. */
export const renameBodySchema = {
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: { title: { type: 'string', minLength: 1, maxLength: 120 } },
  examples: [{ title: 'Late deliveries' }],
} as const;

/** Body of `PATCH /helper/conversations/{id}`. */
export interface RenameBody {
  readonly title: string;
}

/** Answer of `DELETE /helper/user-data`. */
export const erasedAnswerSchema = {
  type: 'object',
  required: ['conversations', 'facts', 'journal', 'tasks'],
  properties: {
    conversations: { ...count, description: 'Conversations that were erased.' },
    facts: { ...count, description: 'Facts that were erased.' },
    journal: { ...count, description: 'Rows of the journal that name the user by a pseudonym from now on.' },
    tasks: { ...count, description: 'Tasks of other agents that were erased.' },
  },
} as const;

/** Answer of `DELETE /helper/user-data`. */
export interface ErasedAnswer {
  readonly conversations: number;
  readonly facts: number;
  readonly journal: number;
  readonly tasks: number;
}
