import { carryRequest } from './carry-request.ts';
import { atMost } from './limited.ts';
import type { Transport, TransportOptions } from './transport.ts';

/**
 * A transport whose line only receives. The client's messages go by POST, one request after the other. Each request carries everything
 * that has gathered meanwhile.
 */
export class PostingTransport implements Transport {
  readonly isPolled: boolean;
  readonly #options: TransportOptions;
  readonly #line: AbortController;
  readonly #listening: Promise<void>;
  #records = '';
  #posting: Promise<void> | null = null;

  /** `line` ends all requests. `listening` ends when the server has nothing more to send. */
  constructor(
    options: TransportOptions,
    line: AbortController,
    { listening, isPolled }: { readonly listening: Promise<void>; readonly isPolled: boolean },
  ) {
    this.#options = options;
    this.#line = line;
    this.#listening = listening;
    this.isPolled = isPolled;
    listening.then(() => this.#end(null), this.#end);
  }

  get waiting(): number {
    return this.#records.length;
  }

  send(records: string): void {
    this.#records += records;
    this.#posting ??= this.#post().catch(this.#end);
  }

  async close(): Promise<void> {
    // After a goodbye of either side the server ends the request that receives.
    await atMost(this.#options.timings.closeMs, Promise.all([this.#posting, this.#listening]));
    this.cut();
  }

  cut(): void {
    this.#line.abort();
  }

  readonly #end = (fault: unknown): void => {
    if (!this.#line.signal.aborted) this.#options.listener.onEnded(fault);
  };

  async #post(): Promise<void> {
    const { requests, connectionToken, timings } = this.#options;
    const url = requests.address({ id: connectionToken });
    while (this.#records !== '') {
      const body = this.#records;
      this.#records = '';
      await carryRequest(
        requests,
        { method: 'POST', url, body, signal: this.#line.signal },
        { limitMs: timings.requestMs },
      );
    }
    this.#posting = null;
  }
}
