import { TurnError } from '../errors/turn-error.ts';
import { type Principal, tenantOf } from '../identity/principal.ts';
import type { Metrics } from '../ports/metrics.ts';
import { RateWindow } from './rate-window.ts';
import { SharedWindow, type SharedWindowOptions } from './shared-window.ts';

export interface MessageRateOptions {
  /** Messages per user and window (`rateLimitPerUser`); 0 lets every message through. */
  readonly max: number;
  /** Seconds (`rateLimitWindowSecs`). */
  readonly windowSecs: number;
  readonly now: () => number;
  readonly metrics: Pick<Metrics, 'of'>;
  /** Left out, no other replica counts. */
  readonly shared?: Pick<SharedWindowOptions, 'bus' | 'name'> | undefined;
}

/** How many messages a user may send (contract/limits.md#messages). */
export class MessageRate {
  readonly #window: RateWindow | SharedWindow | undefined;
  readonly #metrics: MessageRateOptions['metrics'];

  constructor({ max, windowSecs, now, metrics, shared }: MessageRateOptions) {
    const options = { max, windowMs: windowSecs * 1000, now };
    const window = shared === undefined ? new RateWindow(options) : new SharedWindow({ ...options, ...shared });
    this.#window = max === 0 ? undefined : window;
    this.#metrics = metrics;
  }

  /** Whether `admit` may have to wait for what other replicas have counted. */
  get isShared(): boolean {
    return this.#window instanceof SharedWindow;
  }

  /**
   * Counts a message of this user. Gives a promise only while other replicas count too.
   * @throws TurnError `rate_limited` when it is one too many. A promise rejects with it.
   */
  admit(principal: Principal): Promise<void> | undefined {
    const taken = this.#window?.take(principal.userKey) ?? 0;
    if (typeof taken !== 'number') return taken.then((waitMs) => this.#require(waitMs, principal));
    this.#require(taken, principal);
    return undefined;
  }

  /** Takes back the count of a message that turned out to be too long once it had been admitted. */
  giveBack(principal: Principal): void {
    this.#window?.giveBack(principal.userKey);
  }

  #require(waitMs: number, principal: Principal): void {
    if (waitMs === 0) return;
    this.#metrics.of(tenantOf(principal)).rateLimited('message');
    const message = `one message too many for ${String(Math.ceil(waitMs / 1000))} s to come`;
    const known = { retryable: true, limit: 'message_rate', retryAfterMs: waitMs } as const;
    throw new TurnError('refused', 'rate_limited', message, known);
  }
}
