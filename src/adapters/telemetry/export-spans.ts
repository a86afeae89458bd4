import { AsyncLocalStorage } from 'node:async_hooks';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { Resource } from '@opentelemetry/resources';
import type { Logger } from '../../core/ports/logger.ts';
import { type Attributes, text } from './attributes.ts';
import { requestFrame, spanAsJson } from './otlp-json.ts';
import { saidOnce } from './said-once.ts';
import type { Span } from './span.ts';
import type { TelemetryOptions } from './telemetry-options.ts';
import { throughAgent } from './through-agent.ts';

/** Milliseconds that a span waits for further spans before it is sent without them. */
const longestWaitMs = 5_000;
/** The most bytes of a batch. A longer span is a batch of its own. */
const batchSize = 256 * 1024;
/** The most batches that wait while another one is sent. Spans for which there is no room are dropped. */
const maxWaiting = 15;
const bytesOfCharacter = 3;

export interface ExportSpansOptions extends Omit<TelemetryOptions, 'includeSensitive'> {
  readonly resource: Resource;
  /** Milliseconds for all attempts of one request together. */
  readonly timeoutMillis: number;
}

/**
 * Sends ended spans in batches, one request at a time. A span is written as bytes at once, because every garbage collection would have to
 * move thousands of waiting objects.
 */
export class SpanExport {
  readonly #exporter: OTLPExporterBase<Buffer>;
  readonly #log: Logger;
  readonly #frame: ReturnType<typeof requestFrame>;
  /** Runs code outside of every turn. Sending belongs to no turn, although a span of a turn has started it. */
  readonly #outsideOfTurns = AsyncLocalStorage.snapshot();
  readonly #waiting: Buffer[] = [];
  #batch = Buffer.alloc(0);
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #dropped = 0;

  constructor(options: ExportSpansOptions) {
    const { resource, sourceName, version, log } = options;
    this.#exporter = saidOnce(exporterOf(options), 'traces', log);
    this.#log = log;
    this.#frame = requestFrame(attributesOf(resource), { name: sourceName, version });
  }

  /** Takes a span that has ended. */
  add(span: Span): void {
    const json = spanAsJson(span);
    if (!this.#hasRoomFor(json.length * bytesOfCharacter)) {
      this.#drop();
      return;
    }
    this.#write((this.#length === 0 ? this.#frame.before : ',') + json);
    this.#timer ??= this.#outsideOfTurns(() => setTimeout(() => void this.#sendAll(), longestWaitMs).unref());
  }

  /** Sends the remaining spans. */
  async close(): Promise<void> {
    await this.#sendAll();
    await this.#exporter.shutdown();
  }

  #hasRoomFor(length: number): boolean {
    const { before, after } = this.#frame;
    if (this.#length > 0 && this.#length + length + after.length < this.#batch.length) return true;
    if (this.#waiting.length >= maxWaiting) return false;
    if (this.#length > 0) {
      this.#closeBatch();
      this.#outsideOfTurns(() => void this.#sendWaiting());
    }
    const needed = (before.length + after.length + 1) * bytesOfCharacter + length;
    this.#batch = Buffer.allocUnsafeSlow(Math.max(batchSize, needed));
    return true;
  }

  #write(json: string): void {
    this.#length += this.#batch.write(json, this.#length);
  }

  #closeBatch(): void {
    if (this.#length === 0) return;
    this.#write(this.#frame.after);
    this.#waiting.push(this.#batch.subarray(0, this.#length));
    this.#length = 0;
  }

  #sendAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#closeBatch();
    return this.#sendWaiting();
  }

  #sendWaiting(): Promise<void> {
    if (this.#sending === undefined && this.#waiting.length > 0) this.#sending = this.#sendBatches();
    return this.#sending ?? Promise.resolve();
  }

  async #sendBatches(): Promise<void> {
    for (let batch = this.#waiting.shift(); batch !== undefined; batch = this.#waiting.shift()) {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      this.#exporter.export(batch, resolve);
      await promise;
    }
    if (this.#dropped > 0) this.#log.info({ dropped: this.#dropped }, 'spans are no longer dropped');
    this.#dropped = 0;
    this.#sending = undefined;
  }

  #drop(): void {
    if (this.#dropped === 0) this.#log.warn({}, 'spans are dropped: more come than the receiver takes');
    this.#dropped++;
  }
}

/** The attributes of this server, from the environment and from the server itself. All of them are texts. */
function attributesOf({ attributes }: Resource): Attributes {
  return Object.entries(attributes)
    .map(([key, value]) => text(JSON.stringify(key).slice(1, -1))(String(value)))
    .join('');
}

/** OpenTelemetry's own way to send requests, with its retries. The requests are already written. */
function exporterOf({ endpoint, headers, timeoutMillis }: ExportSpansOptions): OTLPExporterBase<Buffer> {
  const config = { url: `${endpoint}/v1/traces`, headers: { ...headers }, timeoutMillis, ...throughAgent() };
  const json = { 'Content-Type': 'application/json' };
  // oxlint-disable-next-line typescript/no-deprecated -- its exporters read the environment with it
  const http = convertLegacyHttpOptions(config, 'TRACES', 'v1/traces', json);
  const serializer = { serializeRequest: (batch: Buffer) => batch, deserializeResponse: () => ({}) };
  const counted = { name: 'span', countItems: () => 1 } as const;
  return new OTLPExporterBase(
    createOtlpHttpExportDelegate(http, serializer, 'otlp_http_json_span_exporter', counted, undefined),
  );
}
