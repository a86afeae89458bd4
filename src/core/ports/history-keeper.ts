import type { StoredConversationHead } from './conversation-store.ts';

/** A conversation as code of a plugin keeps it: the text of each turn is sealed. */
export interface KeptHistory extends StoredConversationHead {
  /** Opaque. */
  readonly content: string;
}

/** Where a plugin keeps conversations (contract/sessions.md#conversations-in-a-store-of-your-own). Each call may take `timeoutMs`. */
export interface HistoryKeeper {
  /** The name of the plugin. */
  readonly name: string;
  readonly timeoutMs: number;
  /** All conversations of a user, in any order. Entries that are not conversations are left out. */
  list(userKey: string, signal: AbortSignal): Promise<readonly StoredConversationHead[]>;
  read(userKey: string, id: string, signal: AbortSignal): Promise<KeptHistory | undefined>;
  /** Keeps a conversation. A conversation with the same id is replaced. */
  save(userKey: string, conversation: KeptHistory, signal: AbortSignal): Promise<void>;
  /**
   * Deletes a conversation, or all conversations of the user when `id` is undefined. A conversation that does not exist is not an error.
   */
  remove(userKey: string, id: string | undefined, signal: AbortSignal): Promise<void>;
}
