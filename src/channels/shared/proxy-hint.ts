import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from '../../core/ports/logger.ts';

export interface ProxyHintOptions {
  /** `server.trustProxy`. */
  readonly trustProxy: boolean;
  readonly log: Pick<Logger, 'warn'>;
  /** Whether a request was refused because its address has too many running requests. This limit counts signed-in users by address too. */
  readonly isTooMany: (request: IncomingMessage) => boolean;
  /** A clock that never jumps, in milliseconds. Default: `performance.now`. */
  readonly now?: () => number;
}

/** Milliseconds between two lines. */
const intervalMs = 60_000;

/**
 * Warns in the log, at most once a minute, when a request from a proxy hits a limit per address while `server.trustProxy` is off. All
 * visitors of that proxy share one limit then.
 */
export function hintAtProxy(app: FastifyInstance, options: ProxyHintOptions): void {
  const { trustProxy, log, isTooMany, now = () => performance.now() } = options;
  if (trustProxy) return;
  let loggedAt = -Infinity;
  // A limit per caller counts signed-in users by themselves, so their requests do not hit a limit per address.
  const countsByAddress = ({ raw, helperCaller }: FastifyRequest): boolean =>
    isTooMany(raw) || helperCaller?.principal.kind !== 'signed-in';
  app.addHook('onResponse', (request, reply, next) => {
    next();
    if (reply.statusCode !== 429 || request.headers['x-forwarded-for'] === undefined) return;
    if (!countsByAddress(request) || now() - loggedAt < intervalMs) return;
    loggedAt = now();
    log.warn(
      {},
      'a limit for one address was hit by a request with X-Forwarded-For, while server.trustProxy is off: behind a proxy all visitors count as one, so set server.trustProxy: true if the proxy sets that header',
    );
  });
}
