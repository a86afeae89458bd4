import type { ConversationsAnswer } from '../../wire/conversation-bodies.ts';
import type { ListOptions } from './list-contract.ts';

const timeLimitMs = 15_000;

/** The server knows nobody by the page's token: there is no list to show. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}

/** What the list asks the server for (contract/sessions.md#kept-conversations). Every method rejects when the server does not do it. */
export interface ListRequests {
  page(before: string | undefined): Promise<ConversationsAnswer>;
  rename(id: string, title: string): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Makes the requests with `fetch`. They carry the user's token and the page's cookies. */
export function createListRequests({ host, token }: Pick<ListOptions, 'host' | 'token'>): ListRequests {
  const url = new URL(`${host.settings.controlPath}/conversations`, host.scriptUrl).href;
  const ask = async (path: string, method = 'GET', body?: object): Promise<Response> => {
    const response = await fetch(url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(await token.headers()) },
      credentials: 'include',
      signal: AbortSignal.timeout(timeLimitMs),
    });
    if (response.status === 401) throw new SignedOut();
    // What is gone already need not be deleted again.
    if (response.ok || (method === 'DELETE' && response.status === 404)) return response;
    throw new Error(`conversations was answered with ${String(response.status)}`);
  };
  const one = (id: string): string => `/${encodeURIComponent(id)}`;
  return {
    async page(before) {
      const response = await ask(before === undefined ? '' : `?before=${encodeURIComponent(before)}`);
      return (await response.json()) as ConversationsAnswer; // contract/sessions.md#kept-conversations
    },
    async rename(id, title) {
      await ask(one(id), 'PATCH', { title });
    },
    async remove(id) {
      await ask(one(id), 'DELETE');
    },
  };
}
