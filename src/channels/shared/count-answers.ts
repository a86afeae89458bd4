import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../core/ports/metrics.ts';

/**
 * Counts what every request that comes after this is answered with (contract/operations.md#metrics), by the pattern of its address:
 * the address itself is the client's own word. MUST be called before the routes are added.
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
