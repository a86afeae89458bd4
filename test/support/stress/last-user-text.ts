import type { ReceivedRequest } from '../scripted-model.ts';

/** What the user said last, as the model reads it. */
export function lastUserText({ body }: ReceivedRequest): string {
  const messages = body['messages'] as readonly { readonly role: string; readonly content: unknown }[]; // OpenAI's wire
  return String(messages.findLast(({ role }) => role === 'user')?.content);
}
