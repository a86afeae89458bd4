/** The credential of the client's user. Its texts are empty for an anonymous user. */
export interface HubToken {
  /** The token that was read last. */
  readonly latest: string;
  /** Reads the token anew. May reject, and settles within a limit of its own. */
  read(): Promise<string>;
}

/** The token as a header. An empty token gives no header. */
export function bearer(token: string): Readonly<Record<string, string>> {
  return token === '' ? {} : { Authorization: `Bearer ${token}` };
}

/** The server answered with a status that refuses. */
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

/** The HTTP requests of a client. They carry its token and the page's cookies, also to a server on another origin. */
export class HubRequests {
  readonly #url: string;
  readonly token: HubToken;

  constructor(url: string, token: HubToken) {
    this.#url = url;
    this.token = token;
  }

  /** The hub's address, or one below it. The query of the hub's address is kept. */
  address(query: Readonly<Record<string, string>>, path = ''): URL {
    const url = new URL(this.#url);
    url.pathname += path;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  /** Resolves with an answer whose status is a success. Rejects with an `HttpRefusal`, or when no answer came. */
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
