/** The number of failures in a row that begins a pause, and the milliseconds of a pause (contract/plugins.md#callbacks). */
const mostFailures = 5;
const pauseMs = 10_000;

/** Pauses a system that fails again and again. This spares the system, and the callers who would wait for it. */
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

  /** Counts a failure. After a pause, the next failure begins another pause. Returns true when a pause begins now. */
  failed(): boolean {
    this.#failures += 1;
    if (this.#failures < mostFailures) return false;
    this.#pausedUntil = this.#now() + pauseMs;
    return true;
  }
}
