import { joined } from '../../core/base/joined.ts';
import type { HourStore, MetricsStore } from '../../core/ports/metrics-store.ts';
import type { RangeFigures } from '../../wire/admin-metrics.ts';
import type { HourlyCounts } from './count-hourly.ts';
import { hourMs, startOf, stepsKeptMs } from './hour-book.ts';
import { HourlySeries } from './hourly-series.ts';
import type { AskedRange, ModelPrices } from './range-report.ts';
import { TenantSeries } from './tenant-series.ts';

export interface HourlyMetricsOptions {
  /** Milliseconds (`metricsPersistenceInterval`). */
  readonly intervalMs: number;
  /** Milliseconds (`metricsRetention`). */
  readonly retentionMs: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Whether each tenant has figures of its own (`tenancy.claim`). Default false. */
  readonly hasTenants?: boolean;
  /** The most tenants whose figures are held in memory. Default 1,000. */
  readonly mostTenants?: number;
}

/** A tenant with a single connection takes a few KiB. A tenant that is busy all the time takes up to some 500 KiB, its slowest and dearest turns included. */
const defaultMostTenants = 1000;

/**
 * The hourly figures of the dashboard (contract/operations.md#dashboard). They are counted in memory and stored from time to time. The
 * figures of each tenant are counted in addition to those of all callers.
 */
export class HourlyMetrics {
  readonly #options: HourlyMetricsOptions;
  readonly #store = new LateStore();
  readonly #all: HourlySeries;
  readonly #tenants: TenantSeries;
  #timer: NodeJS.Timeout | undefined;
  #savedAt: number | null = null;
  #forgotAt = 0;
  #prices: () => ModelPrices = () => ({});

  /** Begins to count. Nothing is stored before `open`. */
  constructor(options: HourlyMetricsOptions) {
    this.#options = options;
    const prices = (): ModelPrices => this.#prices();
    this.#all = new HourlySeries(this.#store, options.now, prices);
    const mostHeld = options.mostTenants ?? defaultMostTenants;
    this.#tenants = new TenantSeries({ store: this.#store, now: options.now, prices, mostHeld });
  }

  /** Counts for all callers together. */
  get counts(): HourlyCounts {
    return this.#all.counts;
  }

  /** Counts for one tenant, but not for all callers. Undefined when there are no tenants, or when too many are counted at the same time. */
  countsOf(tenant: string): HourlyCounts | undefined {
    return this.#options.hasTenants === true ? this.#tenants.toCount(tenant)?.counts : undefined;
  }

  /** By these prices turns are compared that end from now on. Without them, by their tokens. */
  comparesBy(prices: () => ModelPrices): void {
    this.#prices = prices;
  }

  /** Sets the store. From now on figures are stored and can be read. */
  open(store: MetricsStore): void {
    this.#store.open(store);
    this.#saveLater();
  }

  /** The connections that are open now, by channel: of all callers, or of a tenant. */
  connections(tenant?: string): HourlySeries['connections'] {
    return this.#of(tenant).connections;
  }

  /** When figures were last stored, in epoch milliseconds. Null: none were stored yet. */
  get savedAt(): number | null {
    return this.#savedAt;
  }

  /** The figures of a range, up to this moment: of all callers, or of a tenant. Rejects when the store failed. */
  report(range: AskedRange, prices: ModelPrices, tenant?: string): Promise<RangeFigures> {
    return this.#of(tenant).report(range, prices);
  }

  /** Stores the remaining figures. Rejects when the store failed. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#save();
  }

  #of(tenant: string | undefined): Pick<HourlySeries, 'connections' | 'report'> {
    return tenant === undefined ? this.#all : this.#tenants.toRead(tenant);
  }

  #saveLater(): void {
    this.#timer = setTimeout(() => {
      const timer = this.#timer;
      const again = (): void => {
        if (this.#timer === timer) this.#saveLater();
      };
      // The storage reports its faults itself. The same values are stored the next time.
      this.#tidyUp().then(again, again);
    }, this.#options.intervalMs).unref();
  }

  async #tidyUp(): Promise<void> {
    await this.#save();
    const hour = startOf(this.#options.now(), hourMs);
    if (hour === this.#forgotAt) return;
    // The steps of the last hours are kept, however short the retention is.
    await this.#store.forget(Math.min(hour + hourMs - this.#options.retentionMs, hour - stepsKeptMs));
    this.#forgotAt = hour;
  }

  async #save(): Promise<void> {
    const saved = await joined([this.#all.save(), this.#tenants.save()]);
    if (saved.includes(true)) this.#savedAt = this.#options.now();
  }
}

/** A store that is set later, because counting begins before any store is opened. */
class LateStore implements MetricsStore {
  #store: MetricsStore | undefined;

  open(store: MetricsStore): void {
    this.#store = store;
  }

  save(...given: Parameters<MetricsStore['save']>): Promise<void> {
    return this.#opened().then((store) => store.save(...given));
  }

  read(...given: Parameters<MetricsStore['read']>): ReturnType<MetricsStore['read']> {
    return this.#opened().then((store) => store.read(...given));
  }

  of(tenant: string): HourStore {
    return {
      save: (hour) => this.#opened().then((store) => store.of(tenant).save(hour)),
      read: (from, to) => this.#opened().then((store) => store.of(tenant).read(from, to)),
    };
  }

  forget(before: number): Promise<void> {
    return this.#opened().then((store) => store.forget(before));
  }

  #opened(): Promise<MetricsStore> {
    const store = this.#store;
    return store === undefined ? Promise.reject(new Error('no store is open')) : Promise.resolve(store);
  }
}
