import type { ShownEvent } from '../events/shown-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';

/** A message of the history and when it was said, in epoch milliseconds. */
export interface KeptMessage {
  readonly message: ChatMessage;
  readonly at: number;
  /** Of a tool's answer: what the user was shown of its call, in order. */
  readonly shown?: readonly ShownEvent[];
}
