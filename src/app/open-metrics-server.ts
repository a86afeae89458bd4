import type { FastifyBaseLogger } from 'fastify';
import type { PrometheusMetrics } from '../adapters/metrics/prometheus-metrics.ts';
import { createMetricsServer } from '../channels/ops/metrics-server.ts';
import { prepareHttp } from '../channels/shared/prepare-http.ts';
import type { SecurityLog } from '../channels/shared/security-log.ts';
import type { HelperSettings } from '../config/settings.ts';
import { closeInTime } from './http/close-in-time.ts';
import type { Resource } from './open-resources.ts';

/** Serves the metrics on a port of their own when `endpoints.metrics.port` asks for it (contract/operations.md#metrics). */
export async function openMetricsServer(
  settings: HelperSettings,
  metrics: PrometheusMetrics,
  { logger, security }: { readonly logger: FastifyBaseLogger; readonly security: SecurityLog },
): Promise<readonly Resource[]> {
  const { path, token, host, port } = settings.endpoints.metrics;
  if (port === null) return [];
  const app = createMetricsServer({
    path,
    token: token ?? undefined,
    security,
    renderMetrics: () => metrics.render(),
    logger,
    prepare: prepareHttp,
  });
  await app.listen({ host: host ?? settings.server.host, port });
  return [{ name: 'metrics', close: () => closeInTime(app, () => app.server.closeAllConnections()) }];
}
