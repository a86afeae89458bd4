import type { RestoredSession, SessionBody } from '../../wire/session-bodies.ts';
import type { PageToken } from './page-token.ts';
import { toJson } from './signalr/to-json.ts';

/** Saves a conversation as sealed text, and restores it (contract/sessions.md#snapshots). */
export interface SessionRequests {
  /** Rejects when the server could not be reached or refused. */
  save(connectionId: string): Promise<string>;
  /** Null when the server does not take the text: it belongs to another user, is too old, or was sealed by a server with other keys. */
  restore(connectionId: string, snapshot: string): Promise<RestoredSession | null>;
}

const timeLimitMs = 15_000;

/** Makes the requests with `fetch`. They carry the user's token and the page's cookies. */
export function createSessionRequests(url: string, token: PageToken): SessionRequests {
  const ask = async (connectionId: string, body?: SessionBody): Promise<Response> =>
    fetch(`${url}?connectionId=${encodeURIComponent(connectionId)}`, {
      ...(body === undefined ? {} : { method: 'POST', body: toJson(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...(await token.headers()) },
      credentials: 'include',
      signal: AbortSignal.timeout(timeLimitMs),
    });
  return {
    async save(connectionId) {
      const response = await ask(connectionId);
      if (!response.ok) throw new Error(`session was answered with ${String(response.status)}`);
      return ((await response.json()) as SessionBody).snapshot; // contract/sessions.md#snapshots
    },
    async restore(connectionId, snapshot) {
      const response = await ask(connectionId, { snapshot });
      if (response.ok) return (await response.json()) as RestoredSession; // contract/sessions.md#snapshots
      if (response.status === 400 || response.status === 413) return null;
      throw new Error(`session was answered with ${String(response.status)}`);
    },
  };
}
