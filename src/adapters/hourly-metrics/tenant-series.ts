import { joined } from '../../core/base/joined.ts';
import type { MetricsStore } from '../../core/ports/metrics-store.ts';
import { HourlySeries } from './hourly-series.ts';
import type { ModelPrices } from './range-report.ts';

/** Tenants that are stored at the same time, so that their changes share commits. */
const storedAtOnce = 20;

export interface TenantSeriesOptions {
  readonly store: Pick<MetricsStore, 'of'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Those of turns that end now. */
  readonly prices: () => ModelPrices;
  /** The most tenants whose figures are held. */
  readonly mostHeld: number;
}

/** The hourly figures of recent tenants. The figures of other tenants are in the store only. */
export class TenantSeries {
  readonly #store: Pick<MetricsStore, 'of'>;
  readonly #now: () => number;
  readonly #prices: () => ModelPrices;
  readonly #mostHeld: number;
  readonly #held = new Map<string, HourlySeries>();

  constructor({ store, now, prices, mostHeld }: TenantSeriesOptions) {
    this.#store = store;
    this.#now = now;
    this.#prices = prices;
    this.#mostHeld = mostHeld;
  }

  /** The series in which a tenant is counted. Undefined: too many other tenants are counted now. */
  toCount(tenant: string): HourlySeries | undefined {
    const held = this.#held.get(tenant);
    if (held !== undefined) return held;
    if (this.#held.size >= this.#mostHeld && !this.#makeRoom()) return undefined;
    const series = this.#opened(tenant);
    this.#held.set(tenant, series);
    return series;
  }

  /** The figures of a tenant, for reading only. */
  toRead(tenant: string): Pick<HourlySeries, 'connections' | 'report'> {
    return this.#held.get(tenant) ?? this.#opened(tenant);
  }

  /** Stores all changes. Resolves with whether there were any. When the store fails, this rejects after all tenants were tried. */
  async save(): Promise<boolean> {
    const all = [...this.#held];
    const saves: Promise<boolean>[] = [];
    for (let first = 0; first < all.length; first += storedAtOnce) {
      const some = all.slice(first, first + storedAtOnce).map(([, series]) => series.save());
      await Promise.allSettled(some);
      saves.push(...some);
    }
    for (const [tenant, series] of all) {
      // Another series may have taken its place meanwhile.
      if (this.#held.get(tenant) === series && series.isIdle) this.#held.delete(tenant);
    }
    return (await joined(saves)).includes(true);
  }

  /** Drops the oldest series that can be dropped. Returns false when there is none. */
  #makeRoom(): boolean {
    for (const [tenant, series] of this.#held) if (series.mayGo) return this.#held.delete(tenant);
    return false;
  }

  #opened(tenant: string): HourlySeries {
    return new HourlySeries(this.#store.of(tenant), this.#now, this.#prices);
  }
}
