import { Conversation } from '../turn/conversation/conversation.ts';
import type { HandedOut, RemoteTurn } from '../turn/live/remote-turn.ts';
import type { LiveConversation, WaitingMessage } from './live-conversation.ts';

/**
 * Makes a conversation that of a turn in another replica (contract/replicas.md#turns): its messages, those that wait there, and what the
 * turn adds to it. Resolves once the turn has ended and its conversation is here. Never rejects.
 */
export async function adoptRemote<Session extends object>(
  conversation: LiveConversation<Session>,
  turn: RemoteTurn,
  queue: (waiting: HandedOut['waiting'][number]) => void,
): Promise<void> {
  const id = turn.conversationId;
  const began = new Conversation({ id, messages: [] });
  conversation.transcript = began;
  const handedOut = await turn.handOut();
  if (handedOut !== undefined && conversation.transcript === began) {
    conversation.transcript = conversationOf(id, handedOut.messages) ?? began;
    for (const waiting of handedOut.waiting) queue(waiting);
  }
  const before = conversation.transcript;
  const messages = await turn.transcript();
  if (messages === undefined || conversation.transcript !== before || before.isForgotten) return;
  conversation.transcript = conversationOf(id, messages) ?? before;
}

/** Undefined when the messages are those of another version of this server. */
function conversationOf(id: string, messages: HandedOut['messages']): Conversation | undefined {
  try {
    return new Conversation({ id, messages });
  } catch {
    return undefined;
  }
}

/** Takes what another replica is given of a conversation. The messages that wait do not wait here any more: `drop` ends each of them here. */
export function handOut<Session extends object>(
  conversation: LiveConversation<Session>,
  drop: (waiting: WaitingMessage) => void,
): HandedOut {
  const { transcript, waiting } = conversation;
  conversation.waiting = [];
  for (const each of waiting) drop(each);
  return {
    messages: transcript.kept,
    waiting: waiting.map(({ message, options }) => ({ message, page: options?.page, replaces: options?.replaces })),
  };
}
