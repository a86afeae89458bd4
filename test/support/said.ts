import type { ChatMessage } from '../../src/core/ports/chat-model.ts';

/** The messages without the origins of their texts. */
export function said(messages: readonly ChatMessage[] | undefined): readonly ChatMessage[] {
  return (messages ?? []).map(({ origin: _, ...message }) => message);
}
