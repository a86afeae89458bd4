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
  /** Whether the label `tenant` tells the callers of different tenants apart (`tenancy.claim`). Default false. */
  readonly hasTenants?: boolean;
}

/** The answer to a scrape: the Prometheus text format. */
export interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string;
}

export interface PrometheusMetrics {
  readonly metrics: Metrics;
  /** Sets the function that gives the gauges their present numbers at each scrape. Before this call they are 0. */
  watch(read: () => LiveNumbers): void;
  /**
   * All counted metrics with their present values, without the metrics of the process. The counts go on, so a caller that keeps the result
   * MUST copy it.
   */
  families(): readonly MetricFamily[];
  /** The text of all metrics with their present values. */
  render(): Promise<RenderedMetrics>;
}

/** Milliseconds between two measurements of the delay of the event loop. A shorter delay is hardly ever seen. */
const eventLoopPrecisionMs = 10;
/** The most series that are written without a pause. Writing them takes well under a millisecond. */
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
        // Other work of the event loop, such as streams of chats, runs in between. With a hundred tenants there are tens of thousands of
        // lines.
        if (family.series.length > mostAtOnce) await nextLoop();
        counted.push(`${familyText(family)}\n`);
      }
      return { contentType: registry.contentType, body: `${await registry.metrics()}\n${counted.join('\n')}` };
    },
  };
}

/** The metrics that the server counts itself. */
function createCounters(hasTenants: boolean): Pick<PrometheusMetrics, 'metrics' | 'watch' | 'families'> {
  const page = new MetricsPage();
  const tenants = new TenantPages();
  let read = (): LiveNumbers => noTurns;
  // The numbers are read once for all metrics that show a part of them.
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
      // Without tenants, a turn that was kept before `tenancy.claim` was removed still has a tenant. It counts among all others.
      for (const more of ofTenants.values()) live = { ...live, ...together(live, more) };
      return page.families();
    },
  };
}
