import type { ChatMessage } from '../ports/chat-model.ts';

const note: ChatMessage = {
  role: 'assistant',
  text: '[The reply to this message was withheld by a check. The user has not seen it.]',
  toolCalls: [],
  origin: 'operator',
};

/**
 * The messages before the new message of a user. A note stands where a message has no reply (contract/guardrails.md#replies), because many
 * models do not take two messages of a user in a row.
 */
export function withNotes(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const isUnanswered = ({ role }: ChatMessage, index: number): boolean =>
    role === 'user' && (messages[index + 1]?.role ?? 'user') === 'user';
  if (!messages.some(isUnanswered)) return messages;
  return messages.flatMap((message, index) => (isUnanswered(message, index) ? [message, note] : [message]));
}
