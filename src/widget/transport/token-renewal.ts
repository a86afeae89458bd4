import { bearer, type PageToken } from './page-token.ts';
import { millisecondsOf, type Negotiated } from './hub-http-client.ts';

/** `other`: the page's user is not the connection's any more. */
export type Renewal = 'renewed' | 'other';

const earlyMs = 60_000;
const shortestMs = 4000;
const longestMs = 86_400_000;

/**
 * When to renew a token that is good for so long: a minute before its end, or after three quarters of a short one. Null:
 * so shortly before the end that the server had better close the connection, which then comes back with a new token.
 */
export function renewalDelay(lifetimeMs: number): number | null {
  if (lifetimeMs < shortestMs) return null;
  return Math.min(lifetimeMs - Math.min(earlyMs, lifetimeMs / 4), longestMs);
}

/** Shows the server a new token before the old one ends, so that an open connection never drops (wire.md 3, `/refresh`). */
export class TokenRenewal {
  readonly #hubUrl: string;
  readonly #token: PageToken;
  readonly #onOther: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #connectionToken = '';

  constructor(hubUrl: string, token: PageToken, onOther: () => void) {
    this.#hubUrl = hubUrl;
    this.#token = token;
    this.#onOther = onOther;
  }

  /** A connection has begun. */
  begin({ connectionToken, lifetimeMs }: Negotiated): void {
    this.#connectionToken = connectionToken;
    this.#schedule(lifetimeMs);
  }

  /** The connection is over. */
  end(): void {
    clearTimeout(this.#timer);
    this.#connectionToken = '';
  }

  /** Asks the page for its token and shows it to the server. Rejects when either gives none. */
  async renew(): Promise<Renewal> {
    const id = this.#connectionToken;
    const token = await this.#token.read();
    const response = await fetch(`${this.#hubUrl}/refresh?id=${encodeURIComponent(id)}`, {
      method: 'POST',
      headers: bearer(token),
      credentials: 'include',
      signal: AbortSignal.timeout(15_000),
    });
    // Another connection has begun meanwhile, with a token of its own.
    if (id !== this.#connectionToken) return 'renewed';
    if (response.status === 404) return 'other';
    if (!response.ok) throw new Error(`refresh was answered with ${String(response.status)}`);
    const { tokenLifetimeSeconds } = (await response.json()) as Readonly<Record<string, unknown>>; // as negotiate says it
    this.#schedule(millisecondsOf(tokenLifetimeSeconds));
    return 'renewed';
  }

  #schedule(lifetimeMs: number | null): void {
    clearTimeout(this.#timer);
    const delay = lifetimeMs === null ? null : renewalDelay(lifetimeMs);
    if (lifetimeMs === null || delay === null) return;
    const endsAt = Date.now() + lifetimeMs;
    this.#timer = setTimeout(() => void this.#renewOr(() => this.#schedule(endsAt - Date.now())), delay);
  }

  async #renewOr(tryAgain: () => void): Promise<void> {
    try {
      if ((await this.renew()) === 'other') this.#onOther();
    } catch {
      if (this.#connectionToken !== '') tryAgain();
    }
  }
}
