import type { ChatMessage } from './chat-model.ts';

/**
 * Decides which messages of a conversation are kept (contract/sessions.md#a-reducer-of-your-own). One instance serves all conversations.
 */
export interface ChatReducer {
  /** For logs. */
  readonly name: string;
  /** Milliseconds for which a turn waits for the reducer. */
  readonly timeoutMs: number;
  /**
   * The indexes of the messages that are kept. -1 stands for a message that was not given to the reducer. The caller checks the indexes,
   * and waits at most `timeoutMs`. May throw.
   */
  reduce(messages: readonly ChatMessage[], signal: AbortSignal): Promise<readonly number[]>;
}
