import type { FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { RateWindow } from '../../core/limits/rate-window.ts';
import type { Metrics } from '../../core/ports/metrics.ts';

export interface RequestRateOptions {
  /** Requests of one caller per window. */
  readonly max: number;
  /** Milliseconds. */
  readonly window: number;
  /** Whose requests are counted together. */
  readonly callerOf: (request: FastifyRequest) => string;
  readonly metrics: Pick<Metrics, 'rateLimited'>;
  readonly now: () => number;
}

/**
 * The host's own rate limiter of configuration.md 4 (`endpoints.*.rateLimit`). Throws HelperError `rate_limited`, which
 * says when to come back, for a request over the limit.
 */
export function createRequestRate(options: RequestRateOptions): (request: FastifyRequest) => void {
  const { max, window: windowMs, now } = options;
  const window = new RateWindow({ max, windowMs, now });
  return (request) => {
    const waitMs = window.take(options.callerOf(request));
    if (waitMs === 0) return;
    options.metrics.rateLimited('request');
    throw new HelperError('rate_limited', 'Too many requests. Retry-After says when to try again.', {
      retryAfterMs: waitMs,
    });
  };
}
