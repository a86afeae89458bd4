import { hash } from 'node:crypto';
import type { TokenVerifier, VerifiedToken } from '../../core/ports/token-verifier.ts';

/** Most tokens remembered. */
const capacity = 10_000;
/** Milliseconds a token is believed without looking again, so that a key the issuer takes back stops to count. */
const longestMs = 5 * 60_000;

interface Remembered {
  readonly verified: VerifiedToken;
  readonly until: number;
}

/**
 * Remembers tokens that were valid: the requests of a conversation carry the same one, and a signature takes longer to
 * check than all the rest. Bounded, never past the token's end, and by digest: no token stays in memory.
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
    // A Map keeps its order: the first is the one remembered longest.
    const [oldest] = this.#known.keys();
    if (this.#known.size >= capacity && oldest !== undefined) this.#known.delete(oldest);
    const now = this.#now();
    const end = Number(verified.claims['exp']) * 1000;
    this.#known.set(digest, { verified, until: Math.min(end, now + longestMs) });
  }
}
