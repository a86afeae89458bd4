import type { HrTime } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import { MeterProvider, type MetricProducer, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { Logger } from '../../core/ports/logger.ts';
import type { MetricFamily } from '../shared/metric-family.ts';
import { metricData } from './metric-data.ts';
import { saidOnce } from './said-once.ts';
import type { TelemetryOptions } from './telemetry-options.ts';
import { throughAgent } from './through-agent.ts';

/** The interval in the conventions of OpenTelemetry. */
const exportIntervalMs = 60_000;

export interface ExportMetricsOptions extends Pick<
  TelemetryOptions,
  'endpoint' | 'headers' | 'sourceName' | 'version'
> {
  readonly resource: Resource;
  readonly timeoutMillis: number;
  readonly log: Logger;
  /** Returns all counted metrics with their present values. */
  readonly read: () => readonly MetricFamily[];
}

/** Sends the metrics once a minute, and once at the end. It counts nothing itself, but reads the values that Prometheus reads. */
export function exportMetrics(options: ExportMetricsOptions): { readonly close: () => Promise<void> } {
  const { endpoint, headers, resource, timeoutMillis, log } = options;
  const url = `${endpoint}/v1/metrics`;
  const exporter = new OTLPMetricExporter({ url, headers: { ...headers }, timeoutMillis, ...throughAgent() });
  const reader = new PeriodicExportingMetricReader({
    exporter: saidOnce(exporter, 'metrics', log),
    exportIntervalMillis: exportIntervalMs,
    exportTimeoutMillis: timeoutMillis,
    metricProducers: [producer(options)],
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return { close: () => provider.shutdown() };
}

function producer({ read, resource, sourceName, version }: ExportMetricsOptions): MetricProducer {
  const scope = { name: sourceName, version };
  const startTime = now();
  return {
    collect: () => {
      const time = { startTime, endTime: now() };
      const metrics = read()
        .filter(({ series }) => series.length > 0)
        .map((family) => metricData(family, time));
      return Promise.resolve({ resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] });
    },
  };
}

function now(): HrTime {
  const ms = Date.now();
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}
