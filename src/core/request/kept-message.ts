import type { ChatMessage } from '../ports/chat-model.ts';

/** A message of the history and when it was said, in epoch milliseconds. */
export interface KeptMessage {
  readonly message: ChatMessage;
  readonly at: number;
}
