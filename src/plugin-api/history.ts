/** A message of a conversation. Frozen: it is the same for the model, whatever a plugin does with it. */
export type HistoryMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly HistoryToolCall[] }
  | { readonly role: 'tool'; readonly text: string; readonly callId: string; readonly name: string };

/** A call in a message of the assistant. The message with role `tool` and the same `callId` has its result. */
export interface HistoryToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as the model wrote it. */
  readonly arguments: string;
}

/**
 * Decides which messages of a conversation are kept, before each message of its user (contract/sessions.md#a-reducer-of-your-own). Gives back those
 * of the given messages that stay, in their order, beginning with one of the user, and each call together with its result.
 * It serves all conversations, so it keeps nothing of its own.
 */
export type ChatReducer = (
  messages: readonly HistoryMessage[],
  context: { readonly signal: AbortSignal },
) => readonly HistoryMessage[] | Promise<readonly HistoryMessage[]>;

/** A conversation without what was said in it. Its title is sealed: text without a meaning to the plugin. */
export interface KeptConversationHead {
  readonly id: string;
  readonly title: string;
  /** When it began, and when its last message was: epoch milliseconds. */
  readonly startedAt: number;
  readonly lastAt: number;
}

/** A conversation with what was said in it. */
export interface KeptConversation extends KeptConversationHead {
  /** Text without a meaning to the plugin, of about 8 MiB at most. What was said is sealed in it, turn by turn. */
  readonly content: string;
}

/**
 * Keeps the conversations of signed-in users (contract/sessions.md#conversations-in-a-store-of-your-own): `providers.chatHistoryProvider`.
 * `userKey` tells one user from all others and holds the tenant: nothing of one key may ever be given for another. Each function has 3
 * seconds, and resolves once its change is durable; behind an aborted signal it changes nothing more. One that throws is called again.
 */
export interface ChatHistoryProvider {
  /** All conversations of a user, in any order. */
  list(
    userKey: string,
    context: HistoryContext,
  ): readonly KeptConversationHead[] | Promise<readonly KeptConversationHead[]>;
  /** A conversation as it was saved last; null or undefined where there is none. */
  read(
    userKey: string,
    id: string,
    context: HistoryContext,
  ): KeptConversation | null | undefined | Promise<KeptConversation | null | undefined>;
  /** Keeps a conversation. One with the same id is replaced. */
  save(userKey: string, conversation: KeptConversation, context: HistoryContext): void | Promise<void>;
  /** Deletes a conversation; with null all of the user's. What is not there is no fault. */
  remove(userKey: string, id: string | null, context: HistoryContext): void | Promise<void>;
}

/**
 * Makes what keeps the conversations of one user, such as a client of the database of that user's tenant:
 * `providers.chatHistoryProviderFactory`. It is called when it is needed, and what it gives is used for this user alone. After 1,000 other
 * users it may be called again.
 */
export type ChatHistoryProviderFactory = (userKey: string) => ChatHistoryProvider | Promise<ChatHistoryProvider>;

/** What each call of a chat history provider is given. */
export interface HistoryContext {
  /** Aborts when the call takes too long. */
  readonly signal: AbortSignal;
}
