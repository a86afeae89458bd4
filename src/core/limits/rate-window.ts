export interface RateWindowOptions {
  /** Most attempts of one key within its window. */
  readonly max: number;
  /** Milliseconds from a key's first attempt to its next window. */
  readonly windowMs: number;
  readonly now: () => number;
  /** Most keys counted at once. Default 100,000. */
  readonly capacity?: number;
}

interface Window {
  readonly endsAt: number;
  used: number;
}

/**
 * Counts the attempts of each key in fixed windows. A window begins with the key's first attempt (contract/limits.md#messages). When there
 * are too many keys, the keys whose windows began first are forgotten, because their windows end first.
 */
export class RateWindow {
  readonly #options: RateWindowOptions;
  readonly #capacity: number;
  /** In the order in which the windows began, which is the order in which they end. */
  readonly #windows = new Map<string, Window>();

  constructor(options: RateWindowOptions) {
    this.#options = options;
    this.#capacity = options.capacity ?? 100_000;
  }

  /**
   * Counts one more attempt. 0 when it is allowed, else the milliseconds until it would be. A refused attempt does not
   * count.
   */
  take(key: string): number {
    const now = this.#options.now();
    const window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      this.#begin(key, now);
      return 0;
    }
    if (window.used >= this.#options.max) return window.endsAt - now;
    window.used += 1;
    return 0;
  }

  /** Takes back one attempt that was counted in the running window. */
  giveBack(key: string): void {
    const window = this.#windows.get(key);
    if (window !== undefined && window.used > 0) window.used -= 1;
  }

  #begin(key: string, now: number): void {
    this.#windows.delete(key);
    for (const [oldest, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.#capacity) break;
      this.#windows.delete(oldest);
    }
    this.#windows.set(key, { endsAt: now + this.#options.windowMs, used: 1 });
  }
}
