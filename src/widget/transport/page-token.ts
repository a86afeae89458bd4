import { bearer } from './signalr/hub-requests.ts';

/** A page's function that returns the token of its user. Null, undefined or an empty text means that nobody is signed in. */
export type TokenProvider = () => unknown;

/** The page's function returned no token: it threw, took too long, or returned something else. */
export class TokenFault extends Error {
  override readonly name = 'TokenFault';
}

const timeLimitMs = 10_000;
const mostAttempts = 3;
/** The characters that may follow `Bearer` (RFC 6750, 2.1). */
const tokenText = /^[\w.~+/-]+=*$/;

/**
 * The token of the page's user. The widget asks the page for the token whenever the server has to know the user
 * (contract/widget.md#who-is-signed-in). The token stays in memory until the next token replaces it.
 */
export class PageToken {
  #provider: TokenProvider | null = null;
  #latest = '';

  /** The token that was read last. Empty for an anonymous user. */
  get latest(): string {
    return this.#latest;
  }

  /**
   * Sets the page's function.
   * @throws TypeError for anything but a function, because the page's code may have got it wrong.
   */
  use(provider: unknown): void {
    if (provider !== null && typeof provider !== 'function') {
      throw new TypeError('setTokenProvider takes a function or null');
    }
    this.#provider = provider as TokenProvider | null; // it is a function or null
    this.#latest = '';
  }

  /** Reads the token. The text is empty for an anonymous user. Rejects with a `TokenFault`. */
  async read(): Promise<string> {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const provider = this.#provider;
      const given = provider === null ? null : await inTime(provider);
      // Otherwise the page has set another function meanwhile, and the earlier answer may belong to another user.
      if (provider === this.#provider) return (this.#latest = tokenIn(given));
    }
    throw new TokenFault('the token provider keeps changing');
  }

  /** The header with the token. Empty for an anonymous user. Rejects as `read` does. */
  async headers(): Promise<Readonly<Record<string, string>>> {
    return bearer(await this.read());
  }
}

function tokenIn(given: unknown): string {
  const token = given ?? '';
  if (typeof token === 'string' && (token === '' || tokenText.test(token))) return token;
  throw new TokenFault('the token provider gave no token');
}

/** The subject of a token, as far as a page can read it. It serves only to tell tokens of different users apart. */
export function subjectOf(token: string): string {
  try {
    const payload = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const { sub, oid } = JSON.parse(payload) as Readonly<Record<string, unknown>>; // the payload of a token is an object
    return JSON.stringify([sub, oid]);
  } catch {
    return '';
  }
}

/** Asks the page's function within a limit. The function's own error is not passed on, because it may hold the token. */
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
