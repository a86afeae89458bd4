import type { ListOptions } from './kept-contract.ts';
import { toJson } from '../transport/signalr/to-json.ts';

const timeLimitMs = 15_000;

/** The server knows no user by the page's token, so there is no list to show. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}

/** The conversation or fact of the request no longer exists. */
export class Gone extends Error {
  override readonly name = 'Gone';
}

/**
 * Sends a request about what the server keeps of the user. `path` is relative to `controlPath` of the settings. Rejects when the server
 * does not carry out the request.
 */
export type AskServer = (path: string, method?: 'PATCH' | 'DELETE', body?: object) => Promise<Response>;

/** Makes the requests with `fetch`. They carry the user's token and the page's cookies. */
export function askServer({ host, token }: Pick<ListOptions, 'host' | 'token'>): AskServer {
  return async (path, method, body) => {
    const response = await fetch(new URL(host.settings.controlPath + path, host.scriptUrl), {
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body: toJson(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(await token.headers()) },
      credentials: 'include',
      signal: AbortSignal.timeout(timeLimitMs),
    });
    // A deletion also succeeds when nothing is left to delete.
    if (response.ok || (method === 'DELETE' && response.status === 404)) return response;
    if (response.status === 401) throw new SignedOut();
    if (response.status === 404) throw new Gone();
    throw new Error(`${path} was answered with ${String(response.status)}`);
  };
}
