import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { TurnStore } from '../../ports/turn-store.ts';

/** The least milliseconds between two requests to the store to forget turns. */
const everyMs = 60_000;

/** The longest wait, in milliseconds, that a timer of Node takes. */
const longestMs = 2 ** 31 - 1;

export interface ForgetEndedOptions {
  readonly store: Pick<TurnStore, 'forget'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Milliseconds an ended turn can still be resumed (contract/sse.md#coming-back, `server.resumeWindow`). */
  readonly resumeWindowMs: number;
}

/**
 * Deletes kept turns once nobody can resume them any more (contract/sse.md#coming-back), so that the store of a server that is never restarted
 * stays bounded. The store is asked only when something has ended since.
 */
export class ForgetEnded {
  readonly #options: ForgetEndedOptions;
  #timer: NodeJS.Timeout | undefined;
  /** The time at which the last ended turn may be forgotten, on a clock that never goes back. */
  #lastDueAt = 0;
  #isClosed = false;

  constructor(options: ForgetEndedOptions) {
    this.#options = options;
  }

  /** Must be called when a kept turn has ended. */
  ended(): void {
    const { clock, resumeWindowMs } = this.#options;
    this.#lastDueAt = clock.elapsed() + resumeWindowMs;
    this.#schedule(resumeWindowMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.#forget(), Math.min(longestMs, Math.max(everyMs, ms))).unref();
  }

  async #forget(): Promise<void> {
    const { store, clock, log } = this.#options;
    try {
      // Turns that wait for their user are left alone whatever their age, because this process holds them.
      await store.forget(clock.now(), 0);
      this.#timer = undefined;
    } catch (error) {
      log.warn({ error }, 'ended turns could not be deleted; the next attempt is in a minute');
      this.#timer = undefined;
      this.#schedule(everyMs);
    }
    const left = this.#lastDueAt - clock.elapsed();
    if (left > 0) this.#schedule(left);
  }
}
