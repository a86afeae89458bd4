/** A message of a conversation. It is frozen, so a plugin cannot change what the model reads. */
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
 * Decides which messages of a conversation are kept (contract/sessions.md#a-reducer-of-your-own). It is called before each message of the
 * user. It returns those of the given messages that stay, in the same order. The first of them must be a message of the user, and each call
 * must stay together with its result. One reducer serves all conversations, so it must not keep data of one.
 */
export type ChatReducer = (
  messages: readonly HistoryMessage[],
  context: { readonly signal: AbortSignal },
) => readonly HistoryMessage[] | Promise<readonly HistoryMessage[]>;

/** A conversation without its messages. Its title is sealed, so the plugin cannot read it. */
export interface KeptConversationHead {
  readonly id: string;
  readonly title: string;
  /** The times of its beginning and of its last message, in epoch milliseconds. */
  readonly startedAt: number;
  readonly lastAt: number;
}

/** A conversation with its messages. */
export interface KeptConversation extends KeptConversationHead {
  /** The sealed messages, turn by turn. The plugin cannot read this text. It has about 8 MiB at most. */
  readonly content: string;
}

/**
 * Keeps the conversations of signed-in users (contract/sessions.md#conversations-in-a-store-of-your-own): `providers.chatHistoryProvider`.
 * `userKey` identifies one user and includes the tenant. Data of one key must never be returned for another key. Each function has 3
 * seconds, and resolves only when its change is durable. After its signal has aborted, it must change nothing more. A function that throws
 * is called again.
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
  /** Keeps a conversation. It replaces a conversation with the same id. */
  save(userKey: string, conversation: KeptConversation, context: HistoryContext): void | Promise<void>;
  /** Deletes a conversation; with null, all conversations of the user. It is no fault when there is none. */
  remove(userKey: string, id: string | null, context: HistoryContext): void | Promise<void>;
}

/**
 * Makes a provider that keeps the conversations of one user, such as a client for the database of that user's tenant:
 * `providers.chatHistoryProviderFactory`. It is called when the provider is needed, and its result serves this user only. After 1,000 other
 * users it may be called again for the same user.
 */
export type ChatHistoryProviderFactory = (userKey: string) => ChatHistoryProvider | Promise<ChatHistoryProvider>;

/** The context of each call of a chat history provider. */
export interface HistoryContext {
  /** Aborts when the call takes too long. */
  readonly signal: AbortSignal;
}
