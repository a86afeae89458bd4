/** A conversation without what was said in it. */
export interface StoredConversationHead {
  readonly id: string;
  /** Opaque: sealed before it gets here. */
  readonly title: string;
  /** Epoch milliseconds, as all times here. */
  readonly startedAt: number;
  readonly lastAt: number;
}

/** What was said in one turn, as the store keeps it. */
export interface StoredConversationTurn {
  readonly turnId: string;
  /** Opaque: sealed before it gets here. */
  readonly text: string;
  /** How many messages it holds. */
  readonly messages: number;
}

/** A conversation with its turns, the oldest first. */
export interface StoredConversation extends StoredConversationHead {
  readonly turns: readonly Pick<StoredConversationTurn, 'turnId' | 'text'>[];
}

/** What a turn adds to a conversation. */
export interface ConversationAddition {
  readonly conversation: StoredConversationHead;
  /** The user key of its user. */
  readonly owner: string;
  readonly turn: StoredConversationTurn;
  /** What was said before this turn. It is stored only where nothing of the conversation is stored yet. */
  readonly before?: StoredConversationTurn | undefined;
  /** The turn of which this turn is a copy: this turn takes its place, whichever of the two is added first. */
  readonly replaces?: string | undefined;
}

/** How much of each is kept; the oldest go first. */
export interface ConversationBounds {
  readonly conversationsPerUser: number;
  readonly messagesPerConversation: number;
  /** Characters of what is stored of the turns of a conversation. The last turn is kept whatever its length. */
  readonly lengthPerConversation: number;
}

/** Who gave a conversation its title. That of a user is never replaced by that of a model. */
export type TitleGiver = 'user' | 'model';

/** Where a page of a list ends: the next page begins behind it. */
export type ConversationPlace = Pick<StoredConversationHead, 'lastAt' | 'id'>;

/**
 * Conversations that are kept for their users (contract/sessions.md#kept-conversations). Every method MUST have made its change durable,
 * whole or not at all, before it resolves. Conversations of another owner are as if they were not there. A deleted conversation MUST NOT
 * come back: its id is remembered, so that what comes late is refused.
 */
export interface ConversationStore {
  /**
   * Adds a turn; the first one begins the conversation. Adding the same turn again changes nothing. Rejects with `StepRefused` when the
   * conversation was deleted, or is another owner's.
   */
  add(addition: ConversationAddition, bounds: ConversationBounds): Promise<void>;
  /** Conversations of a user by `lastAt`, the newest first. */
  page(owner: string, before: ConversationPlace | undefined, limit: number): Promise<readonly StoredConversationHead[]>;
  read(owner: string, id: string): Promise<StoredConversation | undefined>;
  /** False when there is no such conversation, or a user's title stands in the way of a model's. */
  retitle(owner: string, id: string, title: { readonly text: string; readonly by: TitleGiver }): Promise<boolean>;
  /** False when there is no such conversation. */
  delete(owner: string, id: string, at: number): Promise<boolean>;
  /** Whether a conversation with this id was deleted. */
  isDeleted(id: string): Promise<boolean>;
  /** Deletes all of a user's conversations, and keeps those with the ids of `more` from being stored. Resolves with how many were stored. */
  erase(owner: string, more: readonly string[], at: number): Promise<number>;
  /** Deletes conversations that ended before `before`, and forgets ids that were deleted before `deletedBefore`. Resolves with how many were deleted. */
  purge(before: number, deletedBefore: number, at: number): Promise<number>;
}
