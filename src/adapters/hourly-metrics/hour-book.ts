import { setImmediate as nextLoop } from 'node:timers/promises';
import type { MetricsStore } from '../../core/ports/metrics-store.ts';
import { isPeak } from './series.ts';

/** Milliseconds of an hour. */
export const hourMs = 60 * 60 * 1000;

/** Hours that wait to be stored, at most: a store that fails for longer loses the oldest. */
const mostWaiting = 24;

/** Hours that are read without a pause: a few milliseconds of work. */
export const hoursAtOnce = 8;

/** What the series of one hour have come to. */
export type HourValues = ReadonlyMap<string, number>;

interface OpenHour {
  readonly values: Map<string, number>;
  /** Whether something of it is not stored yet. */
  isChanged: boolean;
  /** Whether what an earlier process has stored for this hour is part of the values. */
  isRead: boolean;
}

/** The hour that a moment belongs to, as the moment it began at. */
export function hourOf(at: number): number {
  return Math.floor(at / hourMs) * hourMs;
}

/**
 * Counts by the hour. What a store holds of an hour is added once before the hour is stored for the first time, so an hour goes on
 * where an earlier process, or a clock that was set back, has left it. An hour takes the place of what was stored of it: a save whose
 * outcome is not known can be made again.
 */
export class HourBook {
  readonly #store: MetricsStore;
  readonly #now: () => number;
  readonly #hours = new Map<number, OpenHour>();
  /** Saves and reads come one after the other, so that none sees half of another. */
  #last: Promise<unknown> = Promise.resolve();

  /** `now`: epoch milliseconds. */
  constructor(store: MetricsStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  add(series: string, amount: number): void {
    const hour = this.#openHour();
    hour.values.set(series, (hour.values.get(series) ?? 0) + amount);
    hour.isChanged = true;
  }

  /** Keeps the highest value of a peak. */
  raise(series: string, value: number): void {
    const hour = this.#openHour();
    const known = hour.values.get(series);
    if (known !== undefined && known >= value) return;
    hour.values.set(series, value);
    hour.isChanged = true;
  }

  /** Stores what has changed. Resolves with whether there was anything; rejects when the store failed, and all of it waits for the next time. */
  save(): Promise<boolean> {
    return this.#inTurn(async () => {
      let hasSaved = false;
      for (const [at, hour] of [...this.#hours]) {
        hasSaved = (await this.#saveHour(at, hour)) || hasSaved;
        if (at < hourOf(this.#now()) && !hour.isChanged) this.#hours.delete(at);
      }
      return hasSaved;
    });
  }

  /** What the hours that begin at `from` or later, and before `to`, have come to: those that are stored and those that are not yet. */
  read(from: number, to: number): Promise<ReadonlyMap<number, HourValues>> {
    return this.#inTurn(async () => {
      const hours = new Map<number, HourValues>();
      for (const [index, { hour, figures }] of (await this.#store.read(from, to)).entries()) {
        // Chats go on in between.
        if (index % hoursAtOnce === 0) await nextLoop();
        hours.set(hour, valuesOf(figures));
      }
      for (const [at, open] of this.#hours) {
        if (at < from || at >= to) continue;
        const stored = open.isRead ? undefined : hours.get(at);
        hours.set(at, stored === undefined ? new Map(open.values) : sumOf([stored, open.values]));
      }
      return hours;
    });
  }

  /** Deletes the hours that began before `before`. */
  forget(before: number): Promise<void> {
    return this.#inTurn(() => this.#store.forget(before));
  }

  async #saveHour(at: number, hour: OpenHour): Promise<boolean> {
    if (!hour.isChanged) return false;
    if (!hour.isRead) {
      const [stored] = await this.#store.read(at, at + hourMs);
      if (stored !== undefined) addTo(hour.values, valuesOf(stored.figures));
      hour.isRead = true;
    }
    hour.isChanged = false;
    try {
      await this.#store.save({ hour: at, figures: JSON.stringify(Object.fromEntries(hour.values)) });
      return true;
    } catch (error) {
      hour.isChanged = true;
      throw error;
    }
  }

  #openHour(): OpenHour {
    const at = hourOf(this.#now());
    const known = this.#hours.get(at);
    if (known !== undefined) return known;
    const [oldest] = this.#hours.keys();
    if (this.#hours.size >= mostWaiting && oldest !== undefined) this.#hours.delete(oldest);
    const hour: OpenHour = { values: new Map(), isChanged: false, isRead: false };
    this.#hours.set(at, hour);
    return hour;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** The values of several hours together. */
export function sumOf(hours: Iterable<HourValues>): HourValues {
  const sum = new Map<string, number>();
  for (const values of hours) addTo(sum, values);
  return sum;
}

/** Adds `more` to `values`; of peaks the higher one stays. */
function addTo(values: Map<string, number>, more: HourValues): void {
  for (const [series, value] of more) {
    const known = values.get(series);
    if (known === undefined) values.set(series, value);
    else values.set(series, isPeak(series) ? Math.max(known, value) : known + value);
  }
}

/** What `#saveHour` has written. */
function valuesOf(figures: string): HourValues {
  const written: unknown = JSON.parse(figures);
  const entries = typeof written === 'object' && written !== null ? Object.entries(written) : [];
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}
