import type { ChatMessage } from '../ports/chat-model.ts';
import type { ProviderExtras } from '../ports/provider-extras.ts';

/** Whether a message has extras. */
export function hasExtras(message: ChatMessage): message is ChatMessage & { readonly extras: ProviderExtras } {
  return message.role === 'assistant' && message.extras !== undefined;
}

/** A message without what its provider wants back. */
export function withoutExtras(message: ChatMessage): ChatMessage {
  if (!hasExtras(message)) return message;
  const { extras: _, ...rest } = message;
  return rest;
}

/** A signature of a thought is about so many characters long for each token of it. */
const charactersOfToken = 8;

/** Tokens of what a provider wants back. It takes a signature for the thought that is sealed in it, not for its letters. */
export function tokensOfExtras({ content }: ProviderExtras, count: (text: string) => number): number {
  let tokens = 0;
  const left: unknown[] = [content];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string')
      tokens += isSealed(value) ? Math.ceil(value.length / charactersOfToken) : count(value);
    // A list may be longer than the arguments of a call.
    else if (typeof value === 'object' && value !== null)
      for (const one of Object.values<unknown>({ ...value })) left.push(one);
  }
  return tokens;
}

function isSealed(text: string): boolean {
  return text.length > 100 && /^[\w+/=:.-]+$/.test(text);
}
