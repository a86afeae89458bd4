import type { RememberedFacts } from '../../wire/memory-bodies.ts';
import { askServer } from './ask-server.ts';
import type { ListOptions } from './kept-contract.ts';
import { conversationPath } from './list-requests.ts';

/** A fact as the server tells it. */
export type Fact = RememberedFacts['facts'][number];

/**
 * The requests that the list of facts makes (contract/memory.md#requests). Every method rejects when the server does not carry out the
 * request.
 */
export interface FactRequests {
  facts(): Promise<readonly Fact[]>;
  correct(id: string, text: string): Promise<void>;
  erase(id: string): Promise<void>;
  eraseAll(): Promise<void>;
  /** Rejects with `Gone` when the conversation is no longer kept. */
  findConversation(id: string): Promise<void>;
}

/** The requests of the list of facts. */
export function createFactRequests(options: Pick<ListOptions, 'host' | 'token'>): FactRequests {
  const ask = askServer(options);
  const one = (id: string): string => `/memory?id=${encodeURIComponent(id)}`;
  return {
    async facts() {
      const response = await ask('/memory');
      return ((await response.json()) as RememberedFacts).facts; // contract/memory.md#requests
    },
    async correct(id, text) {
      await ask(one(id), 'PATCH', { text });
    },
    async erase(id) {
      await ask(one(id), 'DELETE');
    },
    async eraseAll() {
      await ask('/memory', 'DELETE');
    },
    async findConversation(id) {
      const response = await ask(conversationPath(id));
      await response.body?.cancel();
    },
  };
}
