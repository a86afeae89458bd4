/** Which connections are open, by channel, and how long they have been. */
export class OpenConnections {
  readonly #now: () => number;
  readonly #channels = new Map<string, { count: number; openedAtSum: number }>();

  /** `now`: milliseconds of a clock that nobody sets. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  opened(channel: string): void {
    const known = this.#channels.get(channel) ?? { count: 0, openedAtSum: 0 };
    this.#channels.set(channel, { count: known.count + 1, openedAtSum: known.openedAtSum + this.#now() });
  }

  /** One of them has ended that was open for `ageMs`. */
  ended(channel: string, ageMs: number): void {
    const known = this.#channels.get(channel);
    // One that was opened where nobody counted.
    if (known === undefined || known.count === 0) return;
    const count = known.count - 1;
    // Begins anew without any: a sum of fractions is never exactly 0 again.
    const openedAtSum = count === 0 ? 0 : known.openedAtSum - (this.#now() - ageMs);
    this.#channels.set(channel, { count, openedAtSum });
  }

  /** Channels that have had one. */
  get channels(): readonly string[] {
    return [...this.#channels.keys()];
  }

  count(channel: string): number {
    return this.#channels.get(channel)?.count ?? 0;
  }

  /** How long those that are open have been so, on average, in milliseconds; 0 without one. */
  averageAgeMs(channel: string): number {
    const { count, openedAtSum } = this.#channels.get(channel) ?? { count: 0, openedAtSum: 0 };
    return count === 0 ? 0 : Math.max(0, this.#now() - openedAtSum / count);
  }
}
