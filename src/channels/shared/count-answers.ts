import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../core/ports/metrics.ts';
import { isForwarded } from './replicas/forwarded-lines.ts';

/**
 * Counts the answers to all requests that come after this call (contract/operations.md#metrics). They are counted by the pattern of the
 * route, because the address itself is chosen by the client. MUST be called before the routes are added.
 */
export function countAnswers(app: FastifyInstance, metrics: Pick<Metrics, 'requestAnswered' | 'expect'>): void {
  app.addHook('onRoute', ({ url: route }) => {
    metrics.expect({ kind: 'route', route });
  });
  app.addHook('onResponse', (request, { statusCode: status }, next) => {
    // The replica that has forwarded a request counts it.
    if (!isForwarded(request)) metrics.requestAnswered({ route: request.routeOptions.url ?? '', status });
    next();
  });
}
