import type { MetricsStore } from '../../core/ports/metrics-store.ts';
import type { RangeFigures } from '../../wire/admin-metrics.ts';
import { countHourly, type HourlyCounts } from './count-hourly.ts';
import { ConnectionBook } from './connection-book.ts';
import { HourBook, hourMs, startOf, stepsKeptMs } from './hour-book.ts';
import { type AskedRange, type ModelPrices, reportRange } from './range-report.ts';

export interface HourlyMetricsOptions {
  /** Milliseconds (`metricsPersistenceInterval`). */
  readonly intervalMs: number;
  /** Milliseconds (`metricsRetention`). */
  readonly retentionMs: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** The figures of the dashboard by the hour (contract/operations.md#dashboard): counted in memory, stored from time to time. */
export class HourlyMetrics {
  readonly counts: HourlyCounts;
  readonly #options: HourlyMetricsOptions;
  readonly #store = new LateStore();
  readonly #book: HourBook;
  readonly #connections: ConnectionBook;
  #timer: NodeJS.Timeout | undefined;
  #savedAt: number | null = null;
  #forgotAt = 0;

  /** Counts from now on; nothing is stored before `open`. */
  constructor(options: HourlyMetricsOptions) {
    this.#options = options;
    this.#book = new HourBook(this.#store, options.now);
    this.#connections = new ConnectionBook(this.#book, options.now);
    this.counts = countHourly(this.#book, this.#connections);
  }

  /** From here on figures are stored and can be read. */
  open(store: MetricsStore): void {
    this.#store.open(store);
    this.#saveLater();
  }

  /** The connections that are open now, by channel. */
  get connections(): ConnectionBook['live'] {
    return this.#connections.live;
  }

  /** When figures were last stored, in epoch milliseconds; null when none were yet. */
  get savedAt(): number | null {
    return this.#savedAt;
  }

  /** What was counted in a range, up to this moment. Rejects when the store failed. */
  async report(range: AskedRange, prices: ModelPrices): Promise<RangeFigures> {
    this.#connections.note();
    const { from, to } = range;
    const isByHour = range.stepMs === hourMs;
    const counted = await (isByHour ? this.#book.read(from, to) : this.#book.readSteps(from, to));
    return reportRange(counted, range, prices);
  }

  /** Stores what is left. Rejects when the store failed. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#connections.note();
    await this.#save();
  }

  #saveLater(): void {
    this.#timer = setTimeout(() => {
      const timer = this.#timer;
      const again = (): void => {
        if (this.#timer === timer) this.#saveLater();
      };
      // The storage tells its faults itself, and the same values are stored the next time.
      this.#tidyUp().then(again, again);
    }, this.#options.intervalMs).unref();
  }

  async #tidyUp(): Promise<void> {
    this.#connections.note();
    await this.#save();
    const hour = startOf(this.#options.now(), hourMs);
    if (hour === this.#forgotAt) return;
    // The last hours are looked at by steps, however short the retention is.
    await this.#book.forget(Math.min(hour + hourMs - this.#options.retentionMs, hour - stepsKeptMs));
    this.#forgotAt = hour;
  }

  async #save(): Promise<void> {
    if (await this.#book.save()) this.#savedAt = this.#options.now();
  }
}

/** The store that is there later: counting begins before anything is opened. */
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

  forget(before: number): Promise<void> {
    return this.#opened().then((store) => store.forget(before));
  }

  #opened(): Promise<MetricsStore> {
    const store = this.#store;
    return store === undefined ? Promise.reject(new Error('no store is open')) : Promise.resolve(store);
  }
}
