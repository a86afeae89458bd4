import type { ChatMessage } from '../../src/core/ports/chat-model.ts';

/** Messages without where their text came from: what was said, and by whom. */
export function said(messages: readonly ChatMessage[] | undefined): readonly ChatMessage[] {
  return (messages ?? []).map(({ origin: _, ...message }) => message);
}
