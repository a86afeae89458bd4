/** Spares a server that fails: after each failure in a row it is left alone for longer. */
export class BackOff {
  readonly #pauseMs: { readonly first: number; readonly last: number };
  readonly #now: () => number;
  #failures = 0;
  #pausedUntil = 0;

  constructor(pauseMs: { readonly first: number; readonly last: number }, now: () => number) {
    this.#pauseMs = pauseMs;
    this.#now = now;
  }

  /** The milliseconds of the pause that are left. 0 while there is no pause. */
  get leftMs(): number {
    return Math.max(0, this.#pausedUntil - this.#now());
  }

  succeeded(): void {
    this.#failures = 0;
    this.#pausedUntil = 0;
  }

  /** Begins a pause. Returns its length in milliseconds. */
  failed(): number {
    const pause = Math.min(this.#pauseMs.last, this.#pauseMs.first * 2 ** this.#failures);
    this.#failures += 1;
    this.#pausedUntil = this.#now() + pause;
    return pause;
  }
}
