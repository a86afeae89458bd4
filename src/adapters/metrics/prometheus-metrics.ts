import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Metrics } from '../../core/ports/metrics.ts';
import { createGenAiMetrics } from './gen-ai-metrics.ts';
import { MetricsPage } from './metrics-page.ts';
import { createProductMetrics } from './product-metrics.ts';

export interface PrometheusMetricsOptions {
  /** This server's version, shown as a label of `helperagent_build_info`. */
  readonly version: string;
  /** Whether the process and Node.js metrics (memory, CPU, event loop) are served too. Default true. */
  readonly defaultMetrics?: boolean;
}

/** What a scrape is answered with: the Prometheus text format. */
export interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string;
}

export interface PrometheusMetrics {
  readonly metrics: Metrics;
  /** The present value of everything that is counted. */
  render(): Promise<RenderedMetrics>;
}

/** Counts for Prometheus in a registry of its own, so that two servers in one process do not share counters (contract/operations.md#metrics). */
export function createPrometheusMetrics(options: PrometheusMetricsOptions): PrometheusMetrics {
  const registry = new Registry();
  const buildInfo = new Gauge({
    name: 'helperagent_build_info',
    help: 'Always 1; the label tells the version of this server.',
    labelNames: ['version'],
    registers: [registry],
  });
  buildInfo.labels(options.version).set(1);
  // The default of 10 ms would wake an idle server a hundred times a second.
  if (options.defaultMetrics ?? true) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const page = new MetricsPage();
  return {
    metrics: { ...createProductMetrics(page), ...createGenAiMetrics(page) },
    async render() {
      return { contentType: registry.contentType, body: `${await registry.metrics()}\n${page.render()}` };
    },
  };
}
