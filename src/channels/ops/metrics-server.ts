import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { noted } from '../shared/admit-requests.ts';
import type { CrossOriginGuard } from '../shared/cross-origin.ts';
import { requestId } from '../shared/request-id.ts';
import { metricsChannel, type MetricsChannelOptions } from './metrics-channel.ts';

export interface MetricsServerOptions extends MetricsChannelOptions {
  readonly guard: Pick<CrossOriginGuard, 'checkHost'>;
  readonly logger: FastifyBaseLogger;
  /** Called before anything is registered: the place for the error handler and headers that all answers share. */
  readonly prepare: (app: FastifyInstance) => void;
}

/** How long a scraper may take to send its request. */
const requestTimeoutMs = 10_000;

/** Milliseconds between two looks for scrapers that take longer. */
const checkMs = 1000;

/**
 * A server that answers the metrics path and nothing else, for `endpoints.metrics.host` and `.port` (contract/operations.md#metrics).
 * It does not listen yet; the caller does that, and closes it.
 */
export function createMetricsServer(options: MetricsServerOptions): FastifyInstance {
  const { logger, prepare, guard, ...channel } = options;
  const app = fastify({
    loggerInstance: logger,
    // A scrape every few seconds would fill the log.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestId(request),
    requestTimeout: requestTimeoutMs,
    // Without these settings Node would wait a minute, and look only every half a minute.
    http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: checkMs, requireHostHeader: false },
    return503OnClosing: false,
    bodyLimit: 1,
  });
  // Node would answer 417 by itself.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  prepare(app);
  app.addHook('onRequest', (request, _reply, next) => {
    noted(request, channel, () => guard.checkHost(request));
    next();
  });
  void app.register(metricsChannel, channel);
  return app;
}
