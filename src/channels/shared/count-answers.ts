import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../core/ports/metrics.ts';

/**
 * Counts the answers to all requests that come after this call (contract/operations.md#metrics). They are counted by the pattern of the
 * route, because the address itself is chosen by the client. MUST be called before the routes are added.
 */
export function countAnswers(app: FastifyInstance, metrics: Pick<Metrics, 'requestAnswered' | 'expect'>): void {
  app.addHook('onRoute', ({ url: route }) => {
    metrics.expect({ kind: 'route', route });
  });
  app.addHook('onResponse', ({ routeOptions }, { statusCode: status }, next) => {
    metrics.requestAnswered({ route: routeOptions.url ?? '', status });
    next();
  });
}
