/**
 * Remembers which tokens have opened their connection, so that each token does so only once. A token is remembered as long as it would be
 * valid. The number of tokens is limited: when it is reached, `spend` says so and forgets no token.
 */
export class UsedTokens {
  readonly #lifetimeMs: number;
  readonly #capacity: number;
  readonly #now: () => number;
  /** Connection id → when it may be forgotten; in the order of insertion, which is the order of time. */
  readonly #forgetAt = new Map<string, number>();

  constructor(options: { readonly lifetimeMs: number; readonly capacity: number; readonly now: () => number }) {
    this.#lifetimeMs = options.lifetimeMs;
    this.#capacity = options.capacity;
    this.#now = options.now;
  }

  /** Whether the token of a connection was spent recently. */
  has(connectionId: string): boolean {
    return this.#forgetAt.has(connectionId);
  }

  /** `used`: it was spent before. `full`: too many were spent lately to keep count. */
  spend(connectionId: string): 'ok' | 'used' | 'full' {
    this.#forgetExpired();
    if (this.#forgetAt.has(connectionId)) return 'used';
    if (this.#forgetAt.size >= this.#capacity) return 'full';
    this.#forgetAt.set(connectionId, this.#now() + this.#lifetimeMs);
    return 'ok';
  }

  #forgetExpired(): void {
    for (const [connectionId, forgetAt] of this.#forgetAt) {
      if (forgetAt >= this.#now()) return;
      this.#forgetAt.delete(connectionId);
    }
  }
}
