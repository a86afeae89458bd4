/**
 * Remembers ids for at least `lifeMs` milliseconds. Two sets take turns, so that forgetting costs nothing. A set that is full accepts no
 * further id: forgetting one early would let its message in again.
 */
export class SeenIds {
  readonly #lifeMs: number;
  readonly #most: number;
  readonly #elapsed: () => number;
  #young = new Set<string>();
  #old = new Set<string>();
  #turnedAt: number;

  constructor(limits: { readonly lifeMs: number; readonly most: number }, elapsed: () => number) {
    this.#lifeMs = limits.lifeMs;
    this.#most = limits.most;
    this.#elapsed = elapsed;
    this.#turnedAt = elapsed();
  }

  /** Notes an id. Says when it was seen before, or when there is no room for it. */
  note(id: string): 'new' | 'seen' | 'full' {
    this.#turn();
    if (this.#young.has(id) || this.#old.has(id)) return 'seen';
    if (this.#young.size >= this.#most) return 'full';
    this.#young.add(id);
    return 'new';
  }

  #turn(): void {
    const passed = this.#elapsed() - this.#turnedAt;
    if (passed < this.#lifeMs) return;
    this.#old = passed < 2 * this.#lifeMs ? this.#young : new Set();
    this.#young = new Set();
    this.#turnedAt = this.#elapsed();
  }
}
