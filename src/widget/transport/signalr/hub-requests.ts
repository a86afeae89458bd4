/** The credential of the client's user; empty texts for an anonymous one. */
export interface HubToken {
  /** What was read last. */
  readonly latest: string;
  /** Asks for it anew. May reject, and does so within a time of its own. */
  read(): Promise<string>;
}

/** The token as a header; none for an empty one. */
export function bearer(token: string): Readonly<Record<string, string>> {
  return token === '' ? {} : { Authorization: `Bearer ${token}` };
}

/** The server answered and said no. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

export interface HubRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly body?: string | null;
  readonly accept?: string;
}

/** The HTTP requests of a client, with its token, and with the page's cookies for a server on another origin too. */
export class HubRequests {
  readonly #url: string;
  readonly token: HubToken;

  constructor(url: string, token: HubToken) {
    this.#url = url;
    this.token = token;
  }

  /** The hub's address, or one below it. What the query holds stays in it. */
  address(query: Readonly<Record<string, string>>, path = ''): URL {
    const url = new URL(this.#url);
    url.pathname += path;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** Resolves with an answer whose status says yes. Rejects with an `HttpRefusal`, or when there is no answer. */
  async send({ method, url, signal, body = null, accept = '*/*' }: HubRequest): Promise<Response> {
    const response = await fetch(url, {
      method,
      headers: { Accept: accept, ...bearer(this.token.latest) },
      body,
      credentials: 'include',
      cache: 'no-store',
      signal,
    });
    if (!response.ok) throw new HttpRefusal(response.status);
    return response;
  }
}
