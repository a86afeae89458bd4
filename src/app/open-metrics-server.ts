import type { FastifyBaseLogger } from 'fastify';
import type { PrometheusMetrics } from '../adapters/metrics/prometheus-metrics.ts';
import type { MetricsChannelOptions } from '../channels/ops/metrics-channel.ts';
import { createMetricsServer } from '../channels/ops/metrics-server.ts';
import { prepareHttp } from '../channels/shared/prepare-http.ts';
import type { SecurityLog } from '../channels/shared/security-log.ts';
import type { HelperSettings } from '../config/settings.ts';
import { crossOriginGuard } from './cross-origin-guard.ts';
import { closeInTime } from './http/close-in-time.ts';
import type { Resource } from './open-resources.ts';

/** Serves the metrics on a port of their own when `endpoints.metrics.port` asks for it (contract/operations.md#metrics). */
export async function openMetricsServer(
  live: LiveSettings,
  metrics: PrometheusMetrics,
  { logger, security }: { readonly logger: FastifyBaseLogger; readonly security: SecurityLog },
): Promise<readonly Resource[]> {
  const { settings } = live;
  const { host, port } = settings.endpoints.metrics;
  if (port === null) return [];
  const app = createMetricsServer({
    guard: crossOriginGuard(settings, host ?? settings.server.host, undefined),
    ...metricsAccess(live),
    security,
    renderMetrics: () => metrics.render(),
    logger,
    prepare: prepareHttp,
  });
  await app.listen({ host: host ?? settings.server.host, port });
  return [{ name: 'metrics', close: () => closeInTime(app, () => app.server.closeAllConnections()) }];
}

/** The settings of the start, and the present settings. */
interface LiveSettings {
  readonly settings: HelperSettings;
  readonly current: () => HelperSettings;
}

/** The path of the metrics, and the token that reads them. The token is the present one, which a reload may have changed. */
export function metricsAccess({ settings, current }: LiveSettings): Pick<MetricsChannelOptions, 'path' | 'token'> {
  const { path, token } = settings.endpoints.metrics;
  return { path, token: token === null ? undefined : () => current().endpoints.metrics.token ?? token };
}
