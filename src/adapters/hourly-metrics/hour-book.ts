import { setImmediate as nextLoop } from 'node:timers/promises';
import type { HourStore } from '../../core/ports/metrics-store.ts';
import { addTo, hourOfText, type HourValues, type KeptHour, sumOf, textOfHour } from './stored-hour.ts';

/** Milliseconds of an hour. */
export const hourMs = 60 * 60 * 1000;

/** Milliseconds of a step. The latest hours are also counted in steps. */
export const stepMs = 5 * 60 * 1000;

/** Milliseconds for which steps are kept after their hour. A reader of the last hour compares it with the one before. */
export const stepsKeptMs = 2 * hourMs;

/** The most hours that wait to be stored. When the store fails for longer, the oldest hour is lost. */
export const mostWaiting = 24;

/** Hours that are read without a pause. Reading them takes a few milliseconds. */
export const hoursAtOnce = 8;

interface OpenHour {
  readonly values: Map<string, number>;
  /** The values of each step, by the moment at which the step began. */
  readonly steps: Map<number, Map<string, number>>;
  /** Whether a part of the hour is not stored yet. */
  isChanged: boolean;
  /** Whether the values include those that an earlier process has stored for this hour. */
  isRead: boolean;
}

/** What one replica has stored of an hour. */
interface StoredPart {
  readonly hour: number;
  readonly kept: KeptHour;
}

/** The beginning of the hour or step of `lengthMs` that a moment belongs to. */
export function startOf(at: number, lengthMs: number): number {
  return Math.floor(at / lengthMs) * lengthMs;
}

/**
 * Counts by the hour, and the latest hours also in steps of five minutes. Before an hour is stored for the first time, the values that this
 * replica has stored of that hour are added once. So an hour continues the counts of an earlier process, or those from before the clock was set back. A saved
 * hour replaces the stored one, so a save with an unknown outcome can be repeated. What other replicas have stored is added when it is read.
 */
export class HourBook {
  readonly #store: HourStore;
  readonly #now: () => number;
  readonly #hours = new Map<number, OpenHour>();
  /** Saves that were begun and have not ended. */
  #saves = 0;
  /** The last save or read. Saves and reads run one after the other, so that none of them sees half of another. */
  #last: Promise<unknown> = Promise.resolve();

  /** `now`: epoch milliseconds. */
  constructor(store: HourStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  add(series: string, amount: number): void {
    const at = this.#now();
    const hour = this.#openHour(at);
    increase(hour.values, series, amount);
    increase(stepOf(hour, at), series, amount);
    hour.isChanged = true;
  }

  /** Keeps the highest value of a peak, for the hour and the step of `at`. */
  raise(series: string, value: number, at = this.#now()): void {
    const hour = this.#openHour(at);
    const isHourChanged = raise(hour.values, series, value);
    const isStepChanged = raise(stepOf(hour, at), series, value);
    if (isHourChanged || isStepChanged) hour.isChanged = true;
  }

  /** Stores all changes. Resolves with whether there were any. Rejects when the store failed; the rest waits for the next time. */
  save(): Promise<boolean> {
    this.#saves += 1;
    const saved = this.#inTurn(async () => {
      let hasSaved = false;
      for (const [at, hour] of [...this.#hours]) {
        const isOver = at < startOf(this.#now(), hourMs) - stepsKeptMs;
        if (isOver && hour.steps.size > 0) {
          hour.steps.clear();
          hour.isChanged = true;
        }
        hasSaved = (await this.#saveHour(at, hour, isOver)) || hasSaved;
        if (isOver && !hour.isChanged) this.#hours.delete(at);
      }
      return hasSaved;
    });
    return saved.finally(() => {
      this.#saves -= 1;
    });
  }

  /** The values of the hours that begin at `from` or later and before `to`, whether or not they are stored yet. */
  read(from: number, to: number): Promise<ReadonlyMap<number, HourValues>> {
    return this.#inTurn(async () => {
      const hours = new Map<number, HourValues>();
      for (const { hour, kept } of await this.#stored(from, to)) put(hours, hour, kept.values);
      for (const [at, { values }] of this.#within(from, to)) put(hours, at, new Map(values));
      return hours;
    });
  }

  /**
   * The values of the steps that begin at `from` or later and before `to`. Steps are kept for recent hours only; an older hour has none.
   */
  readSteps(from: number, to: number): Promise<ReadonlyMap<number, HourValues>> {
    return this.#inTurn(async () => {
      const firstHour = startOf(from, hourMs);
      const steps = new Map<number, HourValues>();
      for (const { kept } of await this.#stored(firstHour, to)) {
        for (const [step, values] of kept.steps) put(steps, step, values);
      }
      for (const [, open] of this.#within(firstHour, to)) {
        for (const [step, values] of open.steps) put(steps, step, new Map(values));
      }
      return new Map([...steps].filter(([at]) => at >= from && at < to));
    });
  }

  /** Whether the book holds no hour. Then a new book in its place gives the same values. */
  get isEmpty(): boolean {
    return this.#hours.size === 0;
  }

  /** Whether everything that was counted is stored. */
  get isStored(): boolean {
    return this.#saves === 0 && [...this.#hours.values()].every(({ isChanged }) => !isChanged);
  }

  /** The stored parts of these hours, without those that the open hours of this book include already. */
  async #stored(from: number, to: number): Promise<readonly StoredPart[]> {
    const found: StoredPart[] = [];
    for (const [index, { hour, figures, isOfOther }] of (await this.#store.read(from, to)).entries()) {
      // Other work of the event loop, such as streams of chats, runs between the groups of hours.
      if (index % hoursAtOnce === 0) await nextLoop();
      const isIncluded = isOfOther !== true && this.#hours.get(hour)?.isRead === true;
      if (!isIncluded) found.push({ hour, kept: hourOfText(figures) });
    }
    return found;
  }

  #within(from: number, to: number): readonly (readonly [number, OpenHour])[] {
    return [...this.#hours].filter(([at]) => at >= from && at < to);
  }

  async #saveHour(at: number, hour: OpenHour, isOver: boolean): Promise<boolean> {
    if (!hour.isChanged) return false;
    if (!hour.isRead) {
      const parts = await this.#store.read(at, at + hourMs);
      const stored = parts.find(({ isOfOther }) => isOfOther !== true);
      if (stored !== undefined) addStored(hour, hourOfText(stored.figures), isOver);
      hour.isRead = true;
    }
    hour.isChanged = false;
    try {
      await this.#store.save({ hour: at, figures: textOfHour(hour) });
      return true;
    } catch (error) {
      hour.isChanged = true;
      throw error;
    }
  }

  #openHour(moment: number): OpenHour {
    const at = startOf(moment, hourMs);
    const known = this.#hours.get(at);
    if (known !== undefined) return known;
    const [oldest] = this.#hours.keys();
    if (this.#hours.size >= mostWaiting && oldest !== undefined) this.#hours.delete(oldest);
    const hour: OpenHour = { values: new Map(), steps: new Map(), isChanged: false, isRead: false };
    this.#hours.set(at, hour);
    return hour;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Adds values to those of an hour or a step. The caller does not change them afterwards. */
function put(moments: Map<number, HourValues>, at: number, values: HourValues): void {
  const known = moments.get(at);
  moments.set(at, known === undefined ? values : sumOf([known, values]));
}

function stepOf({ steps }: OpenHour, moment: number): Map<string, number> {
  const at = startOf(moment, stepMs);
  const known = steps.get(at);
  if (known !== undefined) return known;
  const step = new Map<string, number>();
  steps.set(at, step);
  return step;
}

function increase(values: Map<string, number>, series: string, amount: number): void {
  values.set(series, (values.get(series) ?? 0) + amount);
}

/** Keeps the higher value. Returns whether it is the new one. */
function raise(values: Map<string, number>, series: string, value: number): boolean {
  if ((values.get(series) ?? -Infinity) >= value) return false;
  values.set(series, value);
  return true;
}

function addStored(hour: OpenHour, stored: ReturnType<typeof hourOfText>, isOver: boolean): void {
  addTo(hour.values, stored.values);
  if (isOver) return;
  for (const [at, values] of stored.steps) addTo(stepOf(hour, at), values);
}
