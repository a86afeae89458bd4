import type { ChatMessage } from '../ports/chat-model.ts';

const note: ChatMessage = {
  role: 'assistant',
  text: "[The reply to the user's message was withheld by a check. The user has not seen it.]",
  toolCalls: [],
  origin: 'operator',
};

/** The messages of a turn whose reply was withheld. The last one says so, for `withNotes`. */
export function markedWithheld(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, isWithheld: true as const } : message,
  );
}

/**
 * The messages before the new message of a user. A note stands where a reply was withheld (contract/guardrails.md#replies): the model must
 * not take that turn for one that it has answered, and many models do not take two messages of a user in a row.
 */
export function withNotes(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  // Versions that marked nothing have kept messages without a reply, which was withheld.
  const isUnanswered = ({ role, isWithheld }: ChatMessage, index: number): boolean =>
    isWithheld === true || (role === 'user' && (messages[index + 1]?.role ?? 'user') === 'user');
  if (!messages.some(isUnanswered)) return messages;
  return messages.flatMap((message, index) => (isUnanswered(message, index) ? [message, note] : [message]));
}
