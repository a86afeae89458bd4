import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { LiveNumbers, Metrics } from '../../core/ports/metrics.ts';
import type { MetricFamily } from '../shared/metric-family.ts';
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
  /** Has the gauges of what goes on now read from `read` at each scrape; nothing goes on before. */
  watch(read: () => LiveNumbers): void;
  /** What is counted as it stands now, without the metrics of the process. It goes on counting: whoever keeps it copies it. */
  families(): readonly MetricFamily[];
  /** The present value of everything that is counted. */
  render(): Promise<RenderedMetrics>;
}

/** How often the delay of the event loop is measured. A shorter hold-up than this is hardly ever seen. */
const eventLoopPrecisionMs = 10;

const nothing: LiveNumbers = {
  runningTurns: { hub: 0, sse: 0, 'in-process': 0 },
  openQuestions: 0,
  oldestQuestionMs: 0,
};

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
  if (options.defaultMetrics ?? true)
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopPrecisionMs });
  const page = new MetricsPage();
  let live = (): LiveNumbers => nothing;
  const product = createProductMetrics(page, () => live());
  const models = createGenAiMetrics(page);
  return {
    metrics: {
      ...product,
      ...models,
      expect(subject) {
        product.expect(subject);
        models.expect(subject);
      },
    },
    watch(read) {
      live = read;
    },
    families: () => page.families(),
    async render() {
      return { contentType: registry.contentType, body: `${await registry.metrics()}\n${page.render()}` };
    },
  };
}
