import type { StoredConversationHead } from './conversation-store.ts';

/** A conversation as code of a plugin keeps it: the text of each turn is sealed. */
export interface KeptHistory extends StoredConversationHead {
  /** Opaque. */
  readonly content: string;
}

/** Where a plugin keeps conversations (contract/sessions.md#conversations-in-a-store-of-your-own). Each call may take `timeoutMs`. */
export interface HistoryKeeper {
  /** The plugin's. */
  readonly name: string;
  readonly timeoutMs: number;
  /** All conversations of a user, in any order; what is none is left out. */
  list(userKey: string, signal: AbortSignal): Promise<readonly StoredConversationHead[]>;
  read(userKey: string, id: string, signal: AbortSignal): Promise<KeptHistory | undefined>;
  /** Keeps a conversation; one with the same id is replaced. */
  save(userKey: string, conversation: KeptHistory, signal: AbortSignal): Promise<void>;
  /** Deletes a conversation, or all of the user's. What is not there is no fault. */
  remove(userKey: string, id: string | undefined, signal: AbortSignal): Promise<void>;
}
