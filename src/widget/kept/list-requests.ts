import type { ConversationsAnswer } from '../../wire/conversation-bodies.ts';
import { askServer } from './ask-server.ts';
import type { ListOptions } from './kept-contract.ts';

/**
 * The requests that the list of conversations makes (contract/sessions.md#kept-conversations). Every method rejects when the server does
 * not carry out the request.
 */
export interface ListRequests {
  page(before: string | undefined): Promise<ConversationsAnswer>;
  rename(id: string, title: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Makes the requests of the list of conversations. */
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

/** The path of a kept conversation, relative to `controlPath` of the settings. */
export function conversationPath(id: string): string {
  return `/conversations/${encodeURIComponent(id)}`;
}
