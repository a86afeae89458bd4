import { carryRequest } from './carry-request.ts';
import { atMost } from './limited.ts';
import type { Transport, TransportOptions } from './transport.ts';

/**
 * A transport whose line only listens: what the client says goes by POST, one after the other, each with all that has
 * gathered meanwhile.
 */
export class PostingTransport implements Transport {
  readonly isPolled: boolean;
  readonly #options: TransportOptions;
  readonly #line: AbortController;
  readonly #listening: Promise<void>;
  #records = '';
  #posting: Promise<void> | null = null;

  /** `line` ends all its requests; `listening` ends when the server has nothing more to say. */
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
    // After a goodbye, of whichever side, the server ends what is listened to.
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
