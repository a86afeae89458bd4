import { OpenConnections } from '../shared/open-connections.ts';
import { type HourBook, hourMs, mostWaiting, startOf, stepMs } from './hour-book.ts';
import { SeriesNames } from './series.ts';

/** How far back peaks are noted: no further than the book keeps hours. */
const longestIdleMs = (mostWaiting - 1) * hourMs;

/** Notes the most connections of each hour in a book, also of an hour in which none is opened or ended. */
export class ConnectionBook {
  readonly #book: Pick<HourBook, 'raise'>;
  readonly #now: () => number;
  readonly #names = new SeriesNames();
  readonly #open = new OpenConnections();
  #notedAt: number;

  /** `now`: epoch milliseconds. */
  constructor(book: Pick<HourBook, 'raise'>, now: () => number) {
    this.#book = book;
    this.#now = now;
    this.#notedAt = now();
  }

  opened(channel: string): void {
    this.note();
    this.#open.opened(channel);
    this.note();
  }

  /** One has ended that was open for `ageMs`. It was open in the hour that runs, whenever it began. */
  ended(channel: string, ageMs: number): void {
    this.note();
    this.#open.ended(channel, ageMs);
  }

  /** Notes how many are open. They were as many since the last time, so the hours in between get the number too. */
  note(): void {
    const now = this.#now();
    const first = Math.max(startOf(this.#notedAt, stepMs) + stepMs, now - longestIdleMs);
    const times: number[] = [now];
    for (let at = first; at < now; at += stepMs) times.push(at);
    for (const channel of this.#open.channels) {
      const count = this.#open.count(channel);
      if (count === 0) continue;
      for (const at of times) this.#book.raise(this.#names.of('peak', channel), count, at);
    }
    this.#notedAt = now;
  }

  /** What is open now, by channel: those channels alone that have had one. */
  get live(): readonly { readonly channel: string; readonly connections: number; readonly averageAgeMs: number }[] {
    return this.#open.channels.toSorted().map((channel) => ({
      channel,
      connections: this.#open.count(channel),
      averageAgeMs: Math.round(this.#open.averageAgeMs(channel)),
    }));
  }
}
