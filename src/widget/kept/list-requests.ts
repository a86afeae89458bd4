import type { ConversationsAnswer } from '../../wire/conversation-bodies.ts';
import { askServer } from './ask-server.ts';
import type { ListOptions } from './kept-contract.ts';

/** What the list asks the server for (contract/sessions.md#kept-conversations). Every method rejects when the server does not do it. */
export interface ListRequests {
  page(before: string | undefined): Promise<ConversationsAnswer>;
  rename(id: string, title: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** The requests of the list. */
export function createListRequests(options: Pick<ListOptions, 'host' | 'token'>): ListRequests {
  const ask = askServer(options);
  return {
    async page(before) {
      const response = await ask(
        `/conversations${before === undefined ? '' : `?before=${encodeURIComponent(before)}`}`,
      );
      return (await response.json()) as ConversationsAnswer; // contract/sessions.md#kept-conversations
    },
    async rename(id, title) {
      await ask(conversationPath(id), 'PATCH', { title });
    },
    async remove(id) {
      await ask(conversationPath(id), 'DELETE');
    },
  };
}

/** Where a kept conversation is, below the path of requests. */
export function conversationPath(id: string): string {
  return `/conversations/${encodeURIComponent(id)}`;
}
