import type { TurnMessage } from '../assistant.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { CurrentPage } from '../tools/tool.ts';
import { delimited } from './delimited.ts';

type UserMessage = Extract<ChatMessage, { readonly role: 'user' }>;

/**
 * The user's message as it is kept in the history, and as it is sent this time. A submitted card belongs to the message;
 * the page the user is on is shown to the model for this turn only. Both are delimited data (wire.md 3 and 7).
 */
export function userMessages(
  message: TurnMessage,
  page: CurrentPage | undefined,
): { readonly kept: UserMessage; readonly sent: UserMessage } {
  const submitted =
    message.cardSubmit === undefined ? '' : delimited('form the user submitted', message.cardSubmit) + '\n';
  const kept: UserMessage = { role: 'user', text: submitted + message.text };
  if (page === undefined) return { kept, sent: kept };
  return { kept, sent: { role: 'user', text: `${delimited('page the user is on', page)}\n${kept.text}` } };
}

/** What the user typed of a kept message, without the form that was submitted with it. */
export function typedText(kept: UserMessage): string {
  return kept.text.replace(/^<data of="form the user submitted">\n[^<]*\n<\/data>\n/, '');
}
