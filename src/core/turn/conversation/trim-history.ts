import type { ChatMessage } from '../../ports/chat-model.ts';

/**
 * Takes the oldest whole turns out until at most `limit` messages remain (contract/sessions.md#length). Never splits a tool call from
 * its result; the newest turn always stays. A limit of 0 or less trims nothing.
 */
export function trimHistory(history: readonly ChatMessage[], limit: number): readonly ChatMessage[] {
  if (limit <= 0 || history.length <= limit) return history;
  const turnStarts = history.flatMap((message, index) => (message.role === 'user' ? [index] : []));
  const start = turnStarts.find((index) => history.length - index <= limit) ?? turnStarts.at(-1) ?? 0;
  return history.slice(start);
}
