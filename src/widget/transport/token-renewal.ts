import type { PageToken } from './page-token.ts';
import { bearer } from './signalr/hub-requests.ts';
import { millisecondsOf, type Negotiated } from './signalr/negotiate.ts';

/** `unknown`: this user has no such connection on the server. The connection belongs to another user or is gone. */
export type Renewal = 'renewed' | 'unknown';

const earlyMs = 60_000;
const shortestMs = 4000;
const longestMs = 86_400_000;

/**
 * When to renew a token of the given lifetime: a minute before its end, or after three quarters of a short lifetime. Null shortly before
 * the end: the server then closes the connection, and the client opens another one with a new token.
 */
export function renewalDelay(lifetimeMs: number): number | null {
  if (lifetimeMs < shortestMs) return null;
  return Math.min(lifetimeMs - Math.min(earlyMs, lifetimeMs / 4), longestMs);
}

export interface TokenRenewalOptions {
  readonly hubUrl: string;
  readonly token: PageToken;
  /** What the server has told about the connection that is open or being opened. */
  readonly negotiated: () => Pick<Negotiated, 'connectionToken' | 'lifetimeMs'> | null;
  /** A renewal found that the connection is `unknown`. */
  readonly onUnknown: () => void;
}

/**
 * Shows the server a new token before the old one ends, so that an open connection is not closed (contract/hub.md#when-the-line-breaks,
 * `/refresh`).
 */
export class TokenRenewal {
  readonly #options: TokenRenewalOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TokenRenewalOptions) {
    this.#options = options;
  }

  /** Begins with a new connection. */
  begin(): void {
    this.#schedule(this.#options.negotiated()?.lifetimeMs ?? null);
  }

  /** Ends with the connection. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Asks the page for its token and shows it to the server. Rejects when the page or the server refuses. */
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
    // Another connection has begun meanwhile and has its own token, so its renewal is scheduled separately.
    if (connection !== negotiated()) return 'renewed';
    if (response.status === 404) return 'unknown';
    if (!response.ok) throw new Error(`refresh was answered with ${String(response.status)}`);
    const { tokenLifetimeSeconds } = (await response.json()) as Readonly<Record<string, unknown>>; // the same field as in the negotiation
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
          // The timer is unchanged if no other renewal was scheduled meanwhile and the connection has not ended.
          if (timer === this.#timer) this.#schedule(endsAt - Date.now());
        },
      );
    }, delay);
    this.#timer = timer;
  }
}
