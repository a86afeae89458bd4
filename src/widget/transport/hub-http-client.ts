import { AbortError, HttpClient, HttpError, type HttpRequest, HttpResponse, TimeoutError } from '@microsoft/signalr';
import { bearer, type PageToken } from './page-token.ts';

/** What the server said of a connection that it agreed to. */
export interface Negotiated {
  /** Names the connection where its token is renewed. A secret. */
  readonly connectionToken: string;
  /** How long the user's token is good; null when it has no end or there is none. */
  readonly lifetimeMs: number | null;
}

/** The requests of the SignalR client, by `fetch`. It keeps what the client does not: how long the token is good. */
export class HubHttpClient extends HttpClient {
  readonly #token: PageToken;
  #negotiated: Negotiated | null = null;

  constructor(token: PageToken) {
    super();
    this.#token = token;
  }

  get negotiated(): Negotiated | null {
    return this.#negotiated;
  }

  override async send(request: HttpRequest): Promise<HttpResponse> {
    const { abortSignal, timeout, content, headers } = request;
    const url = request.url ?? '';
    if (abortSignal?.aborted === true) throw new AbortError();
    const abort = new AbortController();
    const timer = timeout === undefined ? undefined : setTimeout(() => abort.abort(new TimeoutError()), timeout);
    if (abortSignal) abortSignal.onabort = () => abort.abort(new AbortError());
    try {
      const response = await fetch(url, {
        method: request.method ?? 'GET',
        body: content === undefined || content === '' ? null : content,
        // The token may have been renewed since the client last asked for it.
        headers: { 'X-Requested-With': 'XMLHttpRequest', ...headers, ...bearer(this.#token.latest) },
        credentials: request.withCredentials === false ? 'same-origin' : 'include',
        cache: 'no-cache',
        signal: abort.signal,
      });
      const text = await response.text();
      if (!response.ok) throw new HttpError(text || response.statusText, response.status);
      if (url.includes('/negotiate?')) this.#negotiated = readNegotiated(text);
      return new HttpResponse(response.status, response.statusText, text);
    } finally {
      clearTimeout(timer);
      if (abortSignal) abortSignal.onabort = null;
    }
  }
}

/** Null for an answer that is none: the SignalR client says what is wrong with it. */
function readNegotiated(text: string): Negotiated | null {
  try {
    const { connectionToken, tokenLifetimeSeconds } = JSON.parse(text) as Readonly<Record<string, unknown>>; // or it fails
    if (typeof connectionToken !== 'string') return null;
    return { connectionToken, lifetimeMs: millisecondsOf(tokenLifetimeSeconds) };
  } catch {
    return null;
  }
}

/** A lifetime as the server sends it. */
export function millisecondsOf(seconds: unknown): number | null {
  return typeof seconds === 'number' ? seconds * 1000 : null;
}
