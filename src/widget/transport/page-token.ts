import { bearer } from './signalr/hub-requests.ts';

/** A page's function that gives the token of its user: null, undefined or an empty text when nobody is signed in. */
export type TokenProvider = () => unknown;

/** The page's function gave no token: it threw, took too long, or answered with something else. */
export class TokenFault extends Error {
  override readonly name = 'TokenFault';
}

const timeLimitMs = 10_000;
const mostAttempts = 3;
/** What may stand after `Bearer` (RFC 6750, 2.1). */
const tokenText = /^[\w.~+/-]+=*$/;

/**
 * The token of the page's user, asked anew whenever the server has to know who it is (contract/widget.md#who-is-signed-in). It is held in
 * memory only, and no longer than the next one.
 */
export class PageToken {
  #provider: TokenProvider | null = null;
  #latest = '';

  /** What was read last; empty for an anonymous user. */
  get latest(): string {
    return this.#latest;
  }

  /** @throws TypeError when it is no function: the page's own code may be wrong about it. */
  use(provider: unknown): void {
    if (provider !== null && typeof provider !== 'function') {
      throw new TypeError('setTokenProvider takes a function or null');
    }
    this.#provider = provider as TokenProvider | null; // a function, whatever it gives
    this.#latest = '';
  }

  /** The token, or an empty text for an anonymous user. Rejects with a `TokenFault`. */
  async read(): Promise<string> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const provider = this.#provider;
      const given = provider === null ? null : await inTime(provider);
      // Else the page has changed its mind meanwhile: an answer of before is not its user's any more.
      if (provider === this.#provider) return (this.#latest = tokenIn(given));
    }
    throw new TokenFault('the token provider is replaced whenever it is asked');
  }

  /** The header that carries the token; none for an anonymous user. Rejects as `read` does. */
  async headers(): Promise<Readonly<Record<string, string>>> {
    return bearer(await this.read());
  }
}

function tokenIn(given: unknown): string {
  const token = given ?? '';
  if (typeof token === 'string' && (token === '' || tokenText.test(token))) return token;
  throw new TokenFault('the token provider gave something that is no token');
}

/** Whom a token is about, as far as a page can see: only good for telling two tokens of different users apart. */
export function subjectOf(token: string): string {
  try {
    const payload = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const { sub, oid } = JSON.parse(payload) as Readonly<Record<string, unknown>>; // a token's payload is an object
    return JSON.stringify([sub, oid]);
  } catch {
    return '';
  }
}

/** What the page's function says goes no further: it may hold the token. */
async function inTime(provider: TokenProvider): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(reject, timeLimitMs);
  });
  try {
    return await Promise.race([provider(), late]);
  } catch {
    throw new TokenFault('the token provider failed or took too long');
  } finally {
    clearTimeout(timer);
  }
}
