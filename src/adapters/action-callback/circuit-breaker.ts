/** Failures in a row that pause a callback, and for how long (contract/plugins.md#callbacks). */
const mostFailures = 5;
const pauseMs = 10_000;

/** Spares a system that fails again and again, and the callers who would wait for it. */
export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #pausedUntil = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isPaused(): boolean {
    return this.#now() < this.#pausedUntil;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Counts a failure; after a pause the next one pauses again. True: it is paused from now on. */
  failed(): boolean {
    this.#failures += 1;
    if (this.#failures < mostFailures) return false;
    this.#pausedUntil = this.#now() + pauseMs;
    return true;
  }
}
