import { setImmediate as nextLoop } from 'node:timers/promises';
import type { HourStore } from '../../core/ports/metrics-store.ts';
import { addTo, hourOfText, type HourValues, sumOf, textOfHour } from './stored-hour.ts';

/** Milliseconds of an hour. */
export const hourMs = 60 * 60 * 1000;

/** Milliseconds of the steps in which the latest hours are counted as well. */
export const stepMs = 5 * 60 * 1000;

/** How long steps are kept after the hour that they belong to: whoever looks at the last hour compares it with the one before. */
export const stepsKeptMs = 2 * hourMs;

/** Hours that wait to be stored, at most: a store that fails for longer loses the oldest. */
export const mostWaiting = 24;

/** Hours that are read without a pause: a few milliseconds of work. */
export const hoursAtOnce = 8;

interface OpenHour {
  readonly values: Map<string, number>;
  /** The same by step, by the moment at which the step began. */
  readonly steps: Map<number, Map<string, number>>;
  /** Whether something of it is not stored yet. */
  isChanged: boolean;
  /** Whether what an earlier process has stored for this hour is part of the values. */
  isRead: boolean;
}

/** When the hour or step of `lengthMs` began that a moment belongs to. */
export function startOf(at: number, lengthMs: number): number {
  return Math.floor(at / lengthMs) * lengthMs;
}

/**
 * Counts by the hour, and the latest hours by steps of five minutes too. What a store holds of an hour is added once before the hour is
 * stored for the first time, so an hour goes on where an earlier process, or a clock that was set back, has left it. An hour takes the
 * place of what was stored of it: a save whose outcome is not known can be made again.
 */
export class HourBook {
  readonly #store: HourStore;
  readonly #now: () => number;
  readonly #hours = new Map<number, OpenHour>();
  /** Saves that were begun and have not ended. */
  #saves = 0;
  /** Saves and reads come one after the other, so that none sees half of another. */
  #last: Promise<unknown> = Promise.resolve();

  /** `now`: epoch milliseconds. */
  constructor(store: HourStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  add(series: string, amount: number): void {
    const at = this.#now();
    const hour = this.#openHour(at);
    for (const values of [hour.values, stepOf(hour, at)]) values.set(series, (values.get(series) ?? 0) + amount);
    hour.isChanged = true;
  }

  /** Keeps the highest value of a peak, for the hour and the step of `at`. */
  raise(series: string, value: number, at = this.#now()): void {
    const hour = this.#openHour(at);
    for (const values of [hour.values, stepOf(hour, at)]) {
      const known = values.get(series);
      if (known !== undefined && known >= value) continue;
      values.set(series, value);
      hour.isChanged = true;
    }
  }

  /** Stores what has changed. Resolves with whether there was anything; rejects when the store failed, and all of it waits for the next time. */
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

  /** What the hours that begin at `from` or later, and before `to`, have come to: those that are stored and those that are not yet. */
  read(from: number, to: number): Promise<ReadonlyMap<number, HourValues>> {
    return this.#inTurn(async () => {
      const hours = new Map<number, HourValues>();
      for (const [at, { values }] of await this.#stored(from, to)) hours.set(at, values);
      for (const [at, open] of this.#within(from, to)) {
        const stored = open.isRead ? undefined : hours.get(at);
        hours.set(at, stored === undefined ? new Map(open.values) : sumOf([stored, open.values]));
      }
      return hours;
    });
  }

  /** The same of the steps that begin at `from` or later, and before `to`. There are none of hours that are long over. */
  readSteps(from: number, to: number): Promise<ReadonlyMap<number, HourValues>> {
    return this.#inTurn(async () => {
      const firstHour = startOf(from, hourMs);
      const steps = new Map<number, HourValues>();
      const opened = new Map(this.#within(firstHour, to));
      for (const [at, hour] of await this.#stored(firstHour, to)) {
        if (opened.get(at)?.isRead !== true) for (const [step, values] of hour.steps) steps.set(step, values);
      }
      for (const open of opened.values()) {
        for (const [step, values] of open.steps) steps.set(step, sumOf([steps.get(step) ?? new Map(), values]));
      }
      return new Map([...steps].filter(([at]) => at >= from && at < to));
    });
  }

  /** Whether no hour is held, so that a new book in the place of this one tells the same. */
  get isEmpty(): boolean {
    return this.#hours.size === 0;
  }

  /** Whether all that was counted is stored. */
  get isStored(): boolean {
    return this.#saves === 0 && [...this.#hours.values()].every(({ isChanged }) => !isChanged);
  }

  async #stored(from: number, to: number): Promise<ReadonlyMap<number, ReturnType<typeof hourOfText>>> {
    const found = new Map<number, ReturnType<typeof hourOfText>>();
    for (const [index, { hour, figures }] of (await this.#store.read(from, to)).entries()) {
      // Chats go on in between.
      if (index % hoursAtOnce === 0) await nextLoop();
      found.set(hour, hourOfText(figures));
    }
    return found;
  }

  #within(from: number, to: number): readonly (readonly [number, OpenHour])[] {
    return [...this.#hours].filter(([at]) => at >= from && at < to);
  }

  async #saveHour(at: number, hour: OpenHour, isOver: boolean): Promise<boolean> {
    if (!hour.isChanged) return false;
    if (!hour.isRead) {
      const [stored] = await this.#store.read(at, at + hourMs);
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

function stepOf({ steps }: OpenHour, moment: number): Map<string, number> {
  const at = startOf(moment, stepMs);
  const known = steps.get(at) ?? new Map<string, number>();
  steps.set(at, known);
  return known;
}

function addStored(hour: OpenHour, stored: ReturnType<typeof hourOfText>, isOver: boolean): void {
  addTo(hour.values, stored.values);
  if (isOver) return;
  for (const [at, values] of stored.steps) addTo(stepOf(hour, at), values);
}
