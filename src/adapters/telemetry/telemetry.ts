import { randomUUID } from 'node:crypto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { atMost } from '../../core/base/at-most.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Tracing } from '../../core/ports/turn-trace.ts';
import type { MetricFamily } from '../shared/metric-family.ts';
import { exportMetrics } from './export-metrics.ts';
import { saidOnce } from './said-once.ts';
import { Spans, TraceIds } from './spans.ts';
import type { TelemetryOptions } from './telemetry-options.ts';
import { traceLog } from './trace-log.ts';
import { traceModel } from './trace-model.ts';
import { traceTurns } from './trace-turns.ts';

/** How long one batch may take to be sent, in milliseconds, all attempts together. */
const exportTimeoutMs = 5_000;
/** How long the end of the server waits for the last batch, in milliseconds. */
const lastExportMs = 2_000;
/** Spans that wait to be sent; with what users wrote in them there are fewer. More are dropped. */
const maxQueueSize = { plain: 2048, sensitive: 256 };
/** Longest text in a span, in characters. */
const maxTextLength = 32 * 1024;

/** Traces and metrics over OTLP (contract/operations.md#traces). No fault of it reaches a turn. */
export class Telemetry {
  readonly tracing: Tracing;
  readonly #options: TelemetryOptions;
  readonly #resource: Resource;
  readonly #provider: TracerProvider;
  readonly #spans: Spans;
  #metrics: { readonly close: () => Promise<void> } | undefined;

  constructor(options: TelemetryOptions) {
    const { endpoint, headers, sourceName, version, includeSensitive, log } = options;
    this.#options = options;
    this.#resource = resourceOf(version);
    const url = `${endpoint}/v1/traces`;
    const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: exportTimeoutMs });
    const queued = includeSensitive ? maxQueueSize.sensitive : maxQueueSize.plain;
    const ids = new TraceIds();
    this.#provider = new TracerProvider({
      resource: this.#resource,
      idGenerator: ids,
      spanLimits: { attributeValueLengthLimit: maxTextLength },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: saidOnce(exporter, 'traces', log),
          maxQueueSize: queued,
          maxExportBatchSize: queued / 4,
          exportTimeoutMillis: exportTimeoutMs,
        }),
      ],
    });
    this.#spans = new Spans(this.#provider.getTracer(sourceName, version));
    this.tracing = traceTurns({ spans: this.#spans, ids, includeSensitive });
  }

  /** Follows the calls of a model. */
  readonly traced = (model: ChatModel): ChatModel => traceModel(model, this.#spans, this.#options.includeSensitive);

  /** The same log; its lines name the trace that they belong to. */
  log(log: Logger): Logger {
    return traceLog(log, this.#spans);
  }

  /** Sends what is counted from now on. */
  exportMetrics(read: () => readonly MetricFamily[]): void {
    const resource = this.#resource;
    this.#metrics = exportMetrics({ ...this.#options, resource, timeoutMillis: exportTimeoutMs, read });
  }

  /** Sends what is left, for two seconds at most. */
  async close(): Promise<void> {
    this.#spans.endAll();
    const last = { isSent: false };
    const sending = Promise.allSettled([this.#provider.shutdown(), this.#metrics?.close()]).then(() => {
      last.isSent = true;
    });
    await atMost(lastExportMs, sending);
    if (!last.isSent)
      this.#options.log.warn({}, 'the last traces and metrics were not sent: the receiver did not take them in time');
  }
}

/** What the environment says (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`) comes before our own words. */
function resourceOf(version: string): Resource {
  const own = { 'service.name': 'helper', 'service.version': version, 'service.instance.id': randomUUID() };
  return resourceFromAttributes(own).merge(
    detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
  );
}
