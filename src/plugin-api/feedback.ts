import type { ActionUser } from './action.ts';

/** What a user thinks of a reply (contract/sessions.md#ratings). */
export interface ReplyFeedback {
  readonly turnId: string;
  /** Empty when the conversation is not known any more. */
  readonly conversationId: string;
  /** Null: the user has taken a rating back. */
  readonly rating: 'good' | 'bad' | null;
  /** The user's own words, at most 1,000 characters; empty without any. Untrusted. */
  readonly comment: string;
  readonly user: ActionUser;
}
