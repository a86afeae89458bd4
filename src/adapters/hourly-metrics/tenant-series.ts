import { joined } from '../../core/base/joined.ts';
import type { MetricsStore } from '../../core/ports/metrics-store.ts';
import { HourlySeries } from './hourly-series.ts';

/** Tenants that are stored at the same time: their changes share commits. */
const storedAtOnce = 20;

export interface TenantSeriesOptions {
  readonly store: Pick<MetricsStore, 'of'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Tenants whose figures are held at a time. */
  readonly mostHeld: number;
}

/** The hourly figures of the tenants that were here last. Those of the others are in the store alone. */
export class TenantSeries {
  readonly #store: Pick<MetricsStore, 'of'>;
  readonly #now: () => number;
  readonly #mostHeld: number;
  readonly #held = new Map<string, HourlySeries>();

  constructor({ store, now, mostHeld }: TenantSeriesOptions) {
    this.#store = store;
    this.#now = now;
    this.#mostHeld = mostHeld;
  }

  /** Where to count for a tenant. Undefined: too many others count now. */
  toCount(tenant: string): HourlySeries | undefined {
    const held = this.#held.get(tenant);
    if (held !== undefined) return held;
    if (this.#held.size >= this.#mostHeld && !this.#makeRoom()) return undefined;
    const series = this.#opened(tenant);
    this.#held.set(tenant, series);
    return series;
  }

  /** What is known of a tenant, for reading alone. */
  toRead(tenant: string): Pick<HourlySeries, 'connections' | 'report'> {
    return this.#held.get(tenant) ?? this.#opened(tenant);
  }

  /** Stores what has changed. Resolves with whether there was anything; rejects when the store failed, after all were tried. */
  async save(): Promise<boolean> {
    const all = [...this.#held];
    const saves: Promise<boolean>[] = [];
    for (let first = 0; first < all.length; first += storedAtOnce) {
      const some = all.slice(first, first + storedAtOnce).map(([, series]) => series.save());
      await Promise.allSettled(some);
      saves.push(...some);
    }
    for (const [tenant, series] of all) {
      // In its place may be another by now.
      if (this.#held.get(tenant) === series && series.isIdle) this.#held.delete(tenant);
    }
    return (await joined(saves)).includes(true);
  }

  /** Lets the one go that came first of those that may. */
  #makeRoom(): boolean {
    for (const [tenant, series] of this.#held) if (series.mayGo) return this.#held.delete(tenant);
    return false;
  }

  #opened(tenant: string): HourlySeries {
    return new HourlySeries(this.#store.of(tenant), this.#now);
  }
}
