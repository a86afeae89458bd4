import { hash } from 'node:crypto';
import type { TokenVerifier, VerifiedToken } from '../../core/ports/token-verifier.ts';

/** The largest number of tokens that are remembered. */
const capacity = 10_000;
/** Milliseconds for which a token counts without another check. The limit lets a key that the issuer withdraws stop counting. */
const longestMs = 5 * 60_000;

interface Remembered {
  readonly verified: VerifiedToken;
  readonly until: number;
}

/**
 * Remembers valid tokens. All requests of a conversation carry the same token, and checking a signature costs more than the rest of the
 * check. The cache is bounded, forgets a token at its end, and keeps digests instead of tokens.
 */
export class CachedVerifier implements TokenVerifier {
  readonly #verifier: Pick<TokenVerifier, 'verify'>;
  readonly close: () => void;
  readonly #now: () => number;
  readonly #known = new Map<string, Remembered>();

  constructor(options: {
    readonly verifier: Pick<TokenVerifier, 'verify'>;
    readonly now: () => number;
    readonly close: () => void;
  }) {
    this.#verifier = options.verifier;
    this.#now = options.now;
    this.close = options.close;
  }

  async verify(token: string): Promise<VerifiedToken> {
    const digest = hash('sha256', token, 'base64');
    const known = this.#known.get(digest);
    if (known !== undefined && this.#now() < known.until) return known.verified;
    this.#known.delete(digest);
    const verified = await this.#verifier.verify(token);
    this.#remember(digest, verified);
    return verified;
  }

  #remember(digest: string, verified: VerifiedToken): void {
    // A Map keeps its order, so its first entry has been remembered longest.
    const [oldest] = this.#known.keys();
    if (this.#known.size >= capacity && oldest !== undefined) this.#known.delete(oldest);
    const now = this.#now();
    const end = Number(verified.claims['exp']) * 1000;
    this.#known.set(digest, { verified, until: Math.min(end, now + longestMs) });
  }
}
