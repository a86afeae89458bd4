import { BusAway } from '../ports/bus-away.ts';
import type { ReplicaBus } from '../ports/replica-bus.ts';
import { RateWindow, type RateWindowOptions } from './rate-window.ts';

export interface SharedWindowOptions extends RateWindowOptions {
  /** How this replica reaches the others. */
  readonly bus: Pick<ReplicaBus, 'isUp' | 'count'>;
  /** Tells these counts from others. Replicas with the same name count together. */
  readonly name: string;
}

/** The present window of a key, as all replicas count it. */
interface Seen {
  readonly endsAt: number;
  /** Attempts that were taken back. The next ones of this key take their place. */
  credit: number;
}

/**
 * Counts the attempts of each key over all replicas, as `RateWindow` does for one. Each replica also counts its own attempts, and these
 * decide while the bus is away (contract/replicas.md#away).
 */
export class SharedWindow {
  readonly #options: SharedWindowOptions;
  readonly #own: RateWindow;
  readonly #capacity: number;
  /** The key that was counted last comes last. */
  readonly #seen = new Map<string, Seen>();

  constructor(options: SharedWindowOptions) {
    this.#options = options;
    this.#own = new RateWindow(options);
    this.#capacity = options.capacity ?? 100_000;
  }

  /** Counts one more attempt, as `RateWindow.take`. A promise only while the others can be asked. */
  take(key: string): number | Promise<number> {
    const ownWaitMs = this.#own.take(key);
    if (!this.#options.bus.isUp) return ownWaitMs;
    return this.#usesCredit(key) ? 0 : this.#count(key, ownWaitMs);
  }

  /** Takes back one attempt that was counted in the running window. It is this replica that lets one more through in its place. */
  giveBack(key: string): void {
    this.#own.giveBack(key);
    const seen = this.#present(key);
    if (seen !== undefined) seen.credit += 1;
  }

  async #count(key: string, ownWaitMs: number): Promise<number> {
    const { bus, name, windowMs, max } = this.#options;
    try {
      const { isWithin, leftMs } = await bus.count(`${name}:${key}`, windowMs, max);
      if (isWithin) this.#note(key, leftMs);
      // A refused attempt does not count here either.
      else if (ownWaitMs === 0) this.#own.giveBack(key);
      return isWithin ? 0 : Math.max(1, leftMs);
    } catch (error) {
      if (!(error instanceof BusAway)) throw error;
      return ownWaitMs;
    }
  }

  #usesCredit(key: string): boolean {
    const seen = this.#present(key);
    if (seen === undefined || seen.credit === 0) return false;
    seen.credit -= 1;
    return true;
  }

  #present(key: string): Seen | undefined {
    const seen = this.#seen.get(key);
    return seen !== undefined && seen.endsAt > this.#options.now() ? seen : undefined;
  }

  #note(key: string, leftMs: number): void {
    const credit = this.#present(key)?.credit ?? 0;
    this.#seen.delete(key);
    const now = this.#options.now();
    for (const [oldest, { endsAt }] of this.#seen) {
      if (endsAt > now && this.#seen.size < this.#capacity) break;
      this.#seen.delete(oldest);
    }
    this.#seen.set(key, { endsAt: now + leftMs, credit });
  }
}
