import type { ReceivedRequest } from '../scripted-model.ts';

/** The user's last message, as the model reads it. */
export function lastUserText({ body }: ReceivedRequest): string {
  const messages = body['messages'] as readonly { readonly role: string; readonly content: unknown }[]; // OpenAI's protocol has this shape
  return String(messages.findLast(({ role }) => role === 'user')?.content);
}
