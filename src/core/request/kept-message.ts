import type { KeptEvent } from '../events/shown-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';

/** A message of the history and when it was said, in epoch milliseconds. */
export interface KeptMessage {
  readonly message: ChatMessage;
  readonly at: number;
  /** Of a tool's answer: what the user was shown of its call, in order. Of the last of a turn: how that broke off too. */
  readonly shown?: readonly KeptEvent[];
}
