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
