import type { ChatMessage } from '../ports/chat-model.ts';
import { requestMark } from '../prompt/request-mark.ts';
import { influencedMember, influencesOf, joinInfluences } from '../provenance/influences.ts';

/**
 * The conversation as an agent sees it to whom a request is handed over: what the user and the assistant have said, and the request.
 * Calls of tools and their results are left out, because they name tools that the agent may not have. Their influences stay with what
 * comes after them.
 */
export function memberConversation(read: readonly ChatMessage[], request: string): readonly ChatMessage[] {
  const seen: ChatMessage[] = [];
  let influences = influencesOf([]);
  for (const message of read) {
    influences = joinInfluences(influences, influencesOf([message]));
    if (message.role === 'user') seen.push(message);
    else if (message.role === 'assistant' && message.text !== '') seen.push(wordsOf(message, influences));
  }
  // A model has written the request, so it is no word of the user.
  seen.push({ role: 'user', text: `${requestMark}${request}`, origin: 'model', ...influencedMember(influences) });
  return seen;
}

function wordsOf({ text }: ChatMessage, influences: ReturnType<typeof influencesOf>): ChatMessage {
  return { role: 'assistant', text, toolCalls: [], origin: 'model', ...influencedMember(influences) };
}
