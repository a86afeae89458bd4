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
    this.#raise(channel, this.#notedAt);
  }

  /** A connection that was open for `ageMs` has ended. It was still open in the current hour, so `note` counts it first. */
  ended(channel: string, ageMs: number): void {
    this.note();
    this.#open.ended(channel, ageMs);
  }

  /** Notes how many connections are open. The number has not changed since the last call, so all steps that have begun get it, too. */
  note(): void {
    const now = this.#now();
    const step = startOf(this.#notedAt, stepMs);
    if (startOf(now, stepMs) !== step) this.#noteSteps(step + stepMs, now);
    this.#notedAt = now;
  }

  #noteSteps(from: number, now: number): void {
    const times: number[] = [now];
    for (let at = Math.max(from, now - longestIdleMs); at < now; at += stepMs) times.push(at);
    for (const channel of this.#open.channels) {
      if (this.#open.count(channel) > 0) for (const at of times) this.#raise(channel, at);
    }
  }

  #raise(channel: string, at: number): void {
    this.#book.raise(this.#names.of('peak', channel), this.#open.count(channel), at);
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
