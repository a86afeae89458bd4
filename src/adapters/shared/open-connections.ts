/** The connections that are open, by channel, and how long they have been open. */
export class OpenConnections {
  readonly #now: () => number;
  readonly #channels = new Map<string, { count: number; openedAtSum: number }>();

  /** `now` returns the milliseconds of a clock that is never set. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  opened(channel: string): void {
    const known = this.#channels.get(channel) ?? { count: 0, openedAtSum: 0 };
    this.#channels.set(channel, { count: known.count + 1, openedAtSum: known.openedAtSum + this.#now() });
  }

  /** A connection that was open for `ageMs` has ended. */
  ended(channel: string, ageMs: number): void {
    const known = this.#channels.get(channel);
    // The connection was opened where nobody counted.
    if (known === undefined || known.count === 0) return;
    const count = known.count - 1;
    // Without connections the sum begins at 0 again, because a sum of fractions never returns to exactly 0.
    const openedAtSum = count === 0 ? 0 : known.openedAtSum - (this.#now() - ageMs);
    this.#channels.set(channel, { count, openedAtSum });
  }

  /** The channels that have had a connection. */
  get channels(): readonly string[] {
    return [...this.#channels.keys()];
  }

  count(channel: string): number {
    return this.#channels.get(channel)?.count ?? 0;
  }

  /** How long the open connections have been open on average, in milliseconds. 0 when none is open. */
  averageAgeMs(channel: string): number {
    const { count, openedAtSum } = this.#channels.get(channel) ?? { count: 0, openedAtSum: 0 };
    return count === 0 ? 0 : Math.max(0, this.#now() - openedAtSum / count);
  }
}
