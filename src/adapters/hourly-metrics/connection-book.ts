import { OpenConnections } from '../shared/open-connections.ts';
import { type HourBook, hourMs, mostWaiting, startOf, stepMs } from './hour-book.ts';
import { SeriesNames } from './series.ts';

/** Milliseconds for which peaks are noted afterwards. The book keeps no more hours than this. */
const longestIdleMs = (mostWaiting - 1) * hourMs;

/** Notes the highest number of connections in each hour of a book, even in an hour without any change. */
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

  /** A connection that was open for `ageMs` has ended. It was still open in the current hour, so `note` counts it first. */
  ended(channel: string, ageMs: number): void {
    this.note();
    this.#open.ended(channel, ageMs);
  }

  /** Notes how many connections are open. The number has not changed since the last call, so all hours in between get it, too. */
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

  /** The connections that are open now, by channel. Only channels that have had a connection are listed. */
  get live(): readonly { readonly channel: string; readonly connections: number; readonly averageAgeMs: number }[] {
    return this.#open.channels.toSorted().map((channel) => ({
      channel,
      connections: this.#open.count(channel),
      averageAgeMs: Math.round(this.#open.averageAgeMs(channel)),
    }));
  }
}
