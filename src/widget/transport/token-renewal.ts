import type { PageToken } from './page-token.ts';
import { bearer } from './signalr/hub-requests.ts';
import { millisecondsOf, type Negotiated } from './signalr/negotiate.ts';

/** `unknown`: the server has no such connection of that user; it is another user's, or gone. */
export type Renewal = 'renewed' | 'unknown';

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

export interface TokenRenewalOptions {
  readonly hubUrl: string;
  readonly token: PageToken;
  /** What the server said of the connection that is open, or about to be. */
  readonly negotiated: () => Pick<Negotiated, 'connectionToken' | 'lifetimeMs'> | null;
  /** A renewal in time found the connection `unknown`. */
  readonly onUnknown: () => void;
}

/** Shows the server a new token before the old one ends, so that an open connection never drops (contract/hub.md#when-the-line-breaks, `/refresh`). */
export class TokenRenewal {
  readonly #options: TokenRenewalOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TokenRenewalOptions) {
    this.#options = options;
  }

  /** A connection has begun. */
  begin(): void {
    this.#schedule(this.#options.negotiated()?.lifetimeMs ?? null);
  }

  /** The connection is over. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Asks the page for its token and shows it to the server. Rejects when either says no. */
  async renew(): Promise<Renewal> {
    const { hubUrl, token: pageToken, negotiated } = this.#options;
    const connection = negotiated();
    const token = await pageToken.read();
    const response = await fetch(`${hubUrl}/refresh?id=${encodeURIComponent(connection?.connectionToken ?? '')}`, {
      method: 'POST',
      headers: bearer(token),
      credentials: 'include',
      signal: AbortSignal.timeout(15_000),
    });
    // Another connection has begun meanwhile, with a token of its own.
    if (connection !== negotiated()) return 'renewed';
    if (response.status === 404) return 'unknown';
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
    const timer = setTimeout(() => {
      this.renew().then(
        (renewal) => {
          if (renewal === 'unknown' && timer === this.#timer) this.#options.onUnknown();
        },
        () => {
          // Nothing else has been scheduled meanwhile, and nobody has ended it.
          if (timer === this.#timer) this.#schedule(endsAt - Date.now());
        },
      );
    }, delay);
    this.#timer = timer;
  }
}
