import type { FastifyPluginCallback } from 'fastify';
import { answersHead } from '../shared/answers-head.ts';
import { metricsChannel, type MetricsChannelOptions } from './metrics-channel.ts';
import { healthSchema, readinessSchema } from './ops-schemas.ts';
import { type Readiness, type ReadinessCheck, runChecks, summarise } from './readiness.ts';
import { registerSecurityTxt, type SecurityTxtOptions } from './security-txt.ts';

export interface OpsChannelOptions {
  /** Asked at every `/readyz`; names and states are shown to anyone. */
  readonly readiness: () => Promise<readonly ReadinessCheck[]>;
  readonly killSwitch: () => Readiness['killSwitch'];
  /** The hash that tells the configuration in use from another. */
  readonly configuration: () => string;
  /** True from the first SIGTERM on (contract/operations.md#probes). */
  readonly draining: () => boolean;
  readonly renderMetrics: MetricsChannelOptions['renderMetrics'];
  /** Null when the metrics are served elsewhere, by `createMetricsServer`. */
  readonly metrics: Omit<MetricsChannelOptions, 'renderMetrics'> | null;
  /** Null when there is nobody to tell of a weakness. */
  readonly securityTxt: SecurityTxtOptions | null;
}

/** The operator's endpoints (contract/operations.md#metrics): liveness, readiness, metrics and security.txt. They carry no base path. */
export const opsChannel: FastifyPluginCallback<OpsChannelOptions> = (app, options, done) => {
  app.get('/healthz', { ...answersHead, schema: healthSchema, logLevel: 'warn' }, (_request, reply) => {
    void reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
  app.get('/readyz', { ...answersHead, schema: readinessSchema, logLevel: 'warn' }, async (_request, reply) => {
    const readiness = summarise(await runChecks(options.readiness), options.draining());
    const killSwitch = options.killSwitch();
    const isReady = readiness.status === 'ready' || readiness.status === 'degraded';
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        ...readiness,
        configuration: options.configuration(),
        ...(killSwitch === undefined ? {} : { killSwitch }),
      });
  });
  if (options.metrics !== null) {
    void app.register(metricsChannel, { ...options.metrics, renderMetrics: options.renderMetrics });
  }
  if (options.securityTxt !== null) registerSecurityTxt(app, options.securityTxt);
  done();
};
