import type { ChatMessage } from './chat-model.ts';

/** Decides which messages of a conversation are kept (contract/sessions.md#a-reducer-of-your-own). One serves all conversations. */
export interface ChatReducer {
  /** For logs. */
  readonly name: string;
  /** Milliseconds for which a turn waits for it. */
  readonly timeoutMs: number;
  /**
   * The indexes of the messages that stay; -1 stands for a message that was not given. Whoever asks checks them, and waits only so
   * long. May throw.
   */
  reduce(messages: readonly ChatMessage[], signal: AbortSignal): Promise<readonly number[]>;
}
