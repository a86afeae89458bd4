import { typedText } from '../../prompt/user-message.ts';
import type { KeptMessage } from '../../turn/conversation.ts';

/** A message as a user sees it. */
export interface ShownMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** What a user saw of a conversation: no tool calls and results, and the text of one turn as one reply (wire.md 5). */
export function shownMessages(messages: readonly KeptMessage[]): readonly ShownMessage[] {
  const shown: ShownMessage[] = [];
  for (const { message, at } of messages) {
    if (message.role === 'user') shown.push({ role: 'user', text: typedText(message), at });
    if (message.role !== 'assistant' || message.text === '') continue;
    const last = shown.at(-1);
    if (last?.role !== 'assistant') shown.push({ role: 'assistant', text: message.text, at });
    else shown[shown.length - 1] = { ...last, text: `${last.text}\n\n${message.text}` };
  }
  return shown;
}
