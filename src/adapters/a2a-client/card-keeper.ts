import { freshFor } from './fresh-for.ts';
import { NoReply } from './no-reply.ts';
import { orAborted } from './patience.ts';
import { type RemoteCard, readCard } from './read-card.ts';
import { type RemoteConnection, textOf } from './remote-connection.ts';
import type { RemoteLimits } from './remote-limits.ts';

export interface CardKeeperOptions {
  readonly address: URL;
  readonly connection: RemoteConnection;
  readonly limits: Pick<RemoteLimits, 'cardMs' | 'cardBytes' | 'freshMs'>;
  /** Hears of a success. Returns the milliseconds after which another look is wanted. 0: whenever the card is not fresh any more. */
  readonly loaded: () => number;
  /** Hears of a failure. Returns the milliseconds until the next attempt. */
  readonly failed: (error: unknown) => number;
}

interface FreshCard {
  readonly card: RemoteCard;
  readonly freshMs: number;
}

/** Timers may fire so many milliseconds early. A look at the end of a pause would then come too soon. */
const earlyMs = 1;

/** Keeps the card of one agent, and fetches it again in the background. */
export class CardKeeper {
  readonly #options: CardKeeperOptions;
  #card: RemoteCard | undefined;
  #etag = '';
  #loading: Promise<RemoteCard> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRetired = false;

  constructor(options: CardKeeperOptions) {
    this.#options = options;
  }

  /** Whether there is a card. */
  get hasCard(): boolean {
    return this.#card !== undefined;
  }

  /** The last good card, or else the next attempt to fetch one. @throws NoReply where it fails. @throws the reason of the signal. */
  async get(signal: AbortSignal): Promise<RemoteCard> {
    return this.#card ?? orAborted(this.#load(), signal);
  }

  /** Fetches the card after so many milliseconds, in the background. */
  fetchIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isRetired) return;
    this.#timer = setTimeout(
      () => {
        // `failed` has heard of a failure.
        this.#load().catch(() => undefined);
      },
      Math.ceil(ms) + earlyMs,
    ).unref();
  }

  /** From now on, fetches no card in the background. */
  retire(): void {
    this.#isRetired = true;
    clearTimeout(this.#timer);
  }

  /** Those who ask at the same time share one attempt. */
  #load(): Promise<RemoteCard> {
    this.#loading ??= this.#fetch().finally(() => (this.#loading = undefined));
    return this.#loading;
  }

  async #fetch(): Promise<RemoteCard> {
    const { failed, loaded } = this.#options;
    try {
      const { card, freshMs } = await this.#askInTime();
      this.#card = card;
      this.fetchIn(Math.min(freshMs, loaded() || freshMs));
      return card;
    } catch (error) {
      // Nobody hears of an agent that is gone, or whose server closes.
      if (!this.#isRetired) this.fetchIn(failed(error));
      throw error;
    }
  }

  async #askInTime(): Promise<FreshCard> {
    const limit = AbortSignal.timeout(this.#options.limits.cardMs);
    try {
      return await this.#ask(limit);
    } catch (error) {
      throw limit.aborted ? new NoReply('outage', 'did not answer in time', { cause: error }) : error;
    }
  }

  async #ask(signal: AbortSignal): Promise<FreshCard> {
    const { address, connection, limits } = this.#options;
    const kept = this.#card;
    const headers = new Headers({ accept: 'application/json', 'a2a-version': '1.0' });
    if (kept !== undefined && this.#etag !== '') headers.set('if-none-match', this.#etag);
    const answer = await connection.ask(address, { method: 'GET', headers, signal, maxBytes: limits.cardBytes });
    const freshMs = freshFor(textOf(answer.headers['cache-control']), limits.freshMs);
    if (answer.status === 304 && kept !== undefined) return { card: kept, freshMs };
    const text = await orAborted(new Response(answer.body).text(), signal);
    const card = await readCard(text, address.origin, connection.fetch);
    this.#etag = textOf(answer.headers['etag']);
    return { card, freshMs };
  }
}
