import type { FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { type Principal, tenantOf } from '../../core/identity/principal.ts';
import { RateWindow } from '../../core/limits/rate-window.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { networkOf } from './client-network.ts';

export interface RequestRateOptions {
  /** Requests of one caller per window. */
  readonly max: number;
  /** Milliseconds. */
  readonly window: number;
  readonly metrics: Pick<Metrics, 'of'>;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

/**
 * The host's own rate limiter of contract/limits.md#callers (`endpoints.*.rateLimit`). Throws HelperError `rate_limited`, which
 * says when to come back, for a request over the limit.
 */
export function createRequestRate(options: RequestRateOptions): (request: FastifyRequest, caller: Principal) => void {
  const { max, window: windowMs, now } = options;
  const window = new RateWindow({ max, windowMs, now });
  return (request, caller) => {
    // Anonymous callers are told apart by their address alone.
    const waitMs = window.take(caller.kind === 'signed-in' ? caller.userKey : `ip:${networkOf(request.ip)}`);
    if (waitMs === 0) return;
    options.metrics.of(tenantOf(caller)).rateLimited('request');
    throw new HelperError('rate_limited', 'Too many requests. Retry-After says when to try again.', {
      retryAfterMs: waitMs,
      refusal: 'request_rate',
    });
  };
}
