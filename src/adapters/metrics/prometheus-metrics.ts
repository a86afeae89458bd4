import { setImmediate as nextLoop } from 'node:timers/promises';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CallerMetrics, LiveNumbers, LiveTurns, Metrics } from '../../core/ports/metrics.ts';
import type { MetricFamily } from '../shared/metric-family.ts';
import { familyText } from './family-text.ts';
import { noTurns, together } from './live-turns.ts';
import { MetricsPage } from './metrics-page.ts';
import { createCallerMetrics, createServerMetrics } from './product-metrics.ts';
import { TenantPages } from './tenant-pages.ts';

export interface PrometheusMetricsOptions {
  /** This server's version, shown as a label of `helperagent_build_info`. */
  readonly version: string;
  /** Whether the process and Node.js metrics (memory, CPU, event loop) are served too. Default true. */
  readonly defaultMetrics?: boolean;
  /** Whether what callers of tenants do is told apart by the label `tenant` (`tenancy.claim`). Default false. */
  readonly hasTenants?: boolean;
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
/** Series that are written without a pause: well under a millisecond of work. */
const mostAtOnce = 100;

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
  const counters = createCounters(options.hasTenants ?? false);
  return {
    ...counters,
    async render() {
      const counted: string[] = [];
      for (const family of counters.families()) {
        // Chats go on in between: a hundred tenants have tens of thousands of lines.
        if (family.series.length > mostAtOnce) await nextLoop();
        counted.push(`${familyText(family)}\n`);
      }
      return { contentType: registry.contentType, body: `${await registry.metrics()}\n${counted.join('\n')}` };
    },
  };
}

/** What the server counts itself. */
function createCounters(hasTenants: boolean): Pick<PrometheusMetrics, 'metrics' | 'watch' | 'families'> {
  const page = new MetricsPage();
  const tenants = new TenantPages();
  let read = (): LiveNumbers => noTurns;
  // Read once for all that shows a part of it.
  let live: LiveNumbers = noTurns;
  const callers = createCallerMetrics(page, () => live);
  const server = createServerMetrics(page, () => live);
  const metrics: Metrics = {
    ...callers,
    ...server,
    of: (tenant): CallerMetrics => (tenant === undefined || !hasTenants ? callers : tenants.of(tenant)),
    expect(subject) {
      callers.expect(subject);
      server.expect(subject);
    },
  };
  return {
    metrics,
    watch(reader) {
      read = reader;
    },
    families() {
      live = read();
      const ofTenants = live.tenants ?? new Map<string, LiveTurns>();
      if (hasTenants) return tenants.families(page.families(), ofTenants);
      // A turn that was kept before `tenancy.claim` was taken out.
      for (const more of ofTenants.values()) live = { ...live, ...together(live, more) };
      return page.families();
    },
  };
}
