/** What is known of a conversation, without its messages. */
export interface StoredConversationHead {
  readonly id: string;
  /** Opaque text: the caller has sealed it. */
  readonly title: string;
  /** Epoch milliseconds, as all times here. */
  readonly startedAt: number;
  readonly lastAt: number;
}

/** What was said in one turn, as the store keeps it. */
export interface StoredConversationTurn {
  readonly turnId: string;
  /** Opaque text: the caller has sealed it. */
  readonly text: string;
  /** How many messages the text holds. */
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
  /** The turns whose place this turn takes. The first one may still be added later, and is then not there either. */
  readonly replaces?: readonly string[];
}

/** Another text for a stored turn. */
export interface TextOfTurn {
  readonly turnId: string;
  /** The text that is stored now. */
  readonly from: string;
  readonly to: string;
}

/** The limits of what is kept. Above a limit, the oldest are deleted first. */
export interface ConversationBounds {
  readonly conversationsPerUser: number;
  readonly messagesPerConversation: number;
  /** The most characters that are stored of the turns of one conversation. The last turn is kept whatever its length. */
  readonly lengthPerConversation: number;
}

/** Who gave a conversation its title. A model's title never replaces a user's title. */
export type TitleGiver = 'user' | 'model';

/** Where a page of a list ends: the next page begins behind it. */
export type ConversationPlace = Pick<StoredConversationHead, 'lastAt' | 'id'>;

/**
 * Conversations that are kept for their users (contract/sessions.md#kept-conversations). Every method MUST have made its change durable,
 * whole or not at all, before it resolves. Every method treats the conversations of another owner as if they did not exist. A deleted
 * conversation MUST NOT come back: the store remembers its id, so that a late change is refused.
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
  /** False when there is no such conversation, or when a model's title would replace a user's title. */
  retitle(owner: string, id: string, title: { readonly text: string; readonly by: TitleGiver }): Promise<boolean>;
  /**
   * Puts another text in the place of the text of a stored turn. False when there is no such turn, or when its text is not `from` any more.
   */
  rewrite(owner: string, id: string, change: TextOfTurn): Promise<boolean>;
  /** False when there is no such conversation. */
  delete(owner: string, id: string, at: number): Promise<boolean>;
  /** Whether a conversation with this id was deleted. */
  isDeleted(id: string): Promise<boolean>;
  /**
   * Deletes all conversations of a user. From then on, conversations with the ids of `more` are not stored either. Resolves with the number
   * of conversations that were stored.
   */
  erase(owner: string, more: readonly string[], at: number): Promise<number>;
  /**
   * Deletes conversations that ended before `before`, and forgets ids that were deleted before `deletedBefore`. Resolves with the number of
   * deleted conversations.
   */
  purge(before: number, deletedBefore: number, at: number): Promise<number>;
}
