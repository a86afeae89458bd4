import type { HourStore } from '../../core/ports/metrics-store.ts';
import type { RangeFigures } from '../../wire/admin-metrics.ts';
import { ConnectionBook } from './connection-book.ts';
import { countHourly, type HourlyCounts } from './count-hourly.ts';
import { HourBook, hourMs } from './hour-book.ts';
import { type AskedRange, type ModelPrices, reportRange } from './range-report.ts';
import { TopTurns } from './top-turns.ts';

/** The hourly figures of all callers together, or of one tenant. */
export class HourlySeries {
  readonly counts: HourlyCounts;
  readonly #book: HourBook;
  readonly #connections: ConnectionBook;
  readonly #turns: TopTurns;

  /** `now`: epoch milliseconds. `prices`: those of turns that end now. */
  constructor(store: HourStore, now: () => number, prices: () => ModelPrices) {
    this.#book = new HourBook(store, now);
    this.#connections = new ConnectionBook(this.#book, now);
    this.#turns = new TopTurns(now, prices);
    this.counts = countHourly(this.#book, this.#connections, this.#turns);
  }

  /** The connections that are open now, by channel. */
  get connections(): ConnectionBook['live'] {
    return this.#connections.live;
  }

  /** Whether the series can be dropped without a loss: everything is stored, and no connection is open. */
  get mayGo(): boolean {
    return this.#book.isStored && this.#connections.live.every(({ connections }) => connections === 0);
  }

  /** Whether the series can be dropped, and holds no recent hours, which are read often. */
  get isIdle(): boolean {
    return this.mayGo && this.#book.isEmpty && this.#turns.isEmpty;
  }

  /** The figures of a range, up to this moment. Rejects when the store failed. */
  async report(range: AskedRange, prices: ModelPrices): Promise<RangeFigures> {
    this.#connections.note();
    const { from, to } = range;
    const isByHour = range.stepMs === hourMs;
    const counted = await (isByHour ? this.#book.read(from, to) : this.#book.readSteps(from, to));
    return { ...(await reportRange(counted, range, prices)), ...this.#turns.report(range) };
  }

  /** Stores all changes. Resolves with whether there were any. Rejects when the store failed. */
  save(): Promise<boolean> {
    this.#connections.note();
    return this.#book.save();
  }
}
