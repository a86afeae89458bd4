import { TurnError } from '../errors/turn-error.ts';
import { type Principal, tenantOf } from '../identity/principal.ts';
import type { Metrics } from '../ports/metrics.ts';
import { RateWindow } from './rate-window.ts';

export interface MessageRateOptions {
  /** Messages per user and window (`rateLimitPerUser`); 0 lets every message through. */
  readonly max: number;
  /** Seconds (`rateLimitWindowSecs`). */
  readonly windowSecs: number;
  readonly now: () => number;
  readonly metrics: Pick<Metrics, 'of'>;
}

/** How many messages a user may send (contract/limits.md#messages). */
export class MessageRate {
  readonly #window: RateWindow | undefined;
  readonly #metrics: MessageRateOptions['metrics'];

  constructor(options: MessageRateOptions) {
    const { max, windowSecs, now, metrics } = options;
    this.#window = max === 0 ? undefined : new RateWindow({ max, windowMs: windowSecs * 1000, now });
    this.#metrics = metrics;
  }

  /**
   * Counts a message of this user.
   * @throws TurnError `rate_limited` when it is one too many.
   */
  admit(principal: Principal): void {
    const waitMs = this.#window?.take(principal.userKey) ?? 0;
    if (waitMs === 0) return;
    this.#metrics.of(tenantOf(principal)).rateLimited('message');
    const message = `one message too many for ${String(Math.ceil(waitMs / 1000))} s to come`;
    throw new TurnError('refused', 'rate_limited', message, { retryable: true, limit: 'message_rate' });
  }

  /** Takes back the count of a message that turned out to be too long once it had been admitted. */
  giveBack(principal: Principal): void {
    this.#window?.giveBack(principal.userKey);
  }
}
