import { randomUUID } from 'node:crypto';
import {
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import { atMost } from '../../core/base/at-most.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { FollowEmbedding } from '../../core/ports/embedder.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Tracing } from '../../core/ports/turn-trace.ts';
import type { MetricFamily } from '../shared/metric-family.ts';
import { exportMetrics } from './export-metrics.ts';
import { SpanExport } from './export-spans.ts';
import { Spans } from './spans.ts';
import type { TelemetryOptions } from './telemetry-options.ts';
import { traceEmbeddings } from './trace-embeddings.ts';
import { traceLog } from './trace-log.ts';
import { traceModel } from './trace-model.ts';
import { traceTurns } from './trace-turns.ts';

/** Milliseconds for sending one batch, with all attempts together. */
const exportTimeoutMs = 5_000;
/** Milliseconds that the end of the server waits for the last batch. */
const lastExportMs = 2_000;

/** Sends traces and metrics over OTLP (contract/operations.md#traces). No fault of telemetry reaches a turn. */
export class Telemetry {
  readonly tracing: Tracing;
  /** Follows the calls of embedding models. */
  readonly followed: FollowEmbedding;
  readonly #options: TelemetryOptions;
  readonly #resource: Resource;
  readonly #export: SpanExport;
  readonly #spans: Spans;
  #metrics: { readonly close: () => Promise<void> } | undefined;

  constructor(options: TelemetryOptions) {
    this.#options = options;
    const resource = resourceOf(options.version);
    this.#resource = resource;
    this.#export = new SpanExport({ ...options, resource, timeoutMillis: exportTimeoutMs });
    this.#spans = new Spans((span) => {
      this.#export.add(span);
    });
    this.followed = traceEmbeddings(this.#spans);
    this.tracing = traceTurns({ spans: this.#spans, includeSensitive: options.includeSensitive });
  }

  /** Follows the calls of a model. */
  readonly traced = (model: ChatModel): ChatModel => traceModel(model, this.#spans, this.#options.includeSensitive);

  /** Returns the same log with the trace of each line in it. */
  log(log: Logger): Logger {
    return traceLog(log, this.#spans);
  }

  /** Begins to send the metrics. */
  exportMetrics(read: () => readonly MetricFamily[]): void {
    const resource = this.#resource;
    this.#metrics = exportMetrics({ ...this.#options, resource, timeoutMillis: exportTimeoutMs, read });
  }

  /** Sends the remaining data, for two seconds at most. */
  async close(): Promise<void> {
    this.#spans.endAll();
    const last = { isSent: false };
    const sending = Promise.allSettled([this.#export.close(), this.#metrics?.close()]).then(() => {
      last.isSent = true;
    });
    await atMost(lastExportMs, sending);
    if (!last.isSent)
      this.#options.log.warn({}, 'the last traces and metrics were not sent: the receiver did not take them in time');
  }
}

/** The attributes of this server. Those of the environment (`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`) take precedence. */
function resourceOf(version: string): Resource {
  const own = { 'service.name': 'helper', 'service.version': version, 'service.instance.id': randomUUID() };
  return resourceFromAttributes(own).merge(
    detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] }),
  );
}
