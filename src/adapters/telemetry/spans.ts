import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
  TraceFlags,
} from '@opentelemetry/api';
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';

/** A span to begin. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

/** Gives the next trace an id of our choice. */
export class TraceIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #next: string | undefined;

  /** The trace that `begin` makes, at once, gets an id that follows from `text`: the same text is the same trace. */
  derived<Value>(text: string, begin: () => Value): Value {
    this.#next = hash('sha256', text, 'hex').slice(0, 32);
    try {
      return begin();
    } finally {
      this.#next = undefined;
    }
  }

  generateTraceId(): string {
    return this.#next ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#random.generateSpanId();
  }
}

/** The spans of this process: which of them the caller runs in, and which are open. */
export class Spans {
  readonly #tracer: Tracer;
  readonly #running = new AsyncLocalStorage<Context>();
  readonly #open = new Set<Span>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** The id of the trace that the caller runs in. */
  get traceId(): string | undefined {
    return this.#current()?.traceId;
  }

  /** The W3C trace context of the span that the caller runs in. */
  get traceparent(): string | undefined {
    const current = this.#current();
    if (current === undefined) return undefined;
    const flags = (current.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
    return `00-${current.traceId}-${current.spanId}-${flags}`;
  }

  /** Begins a span below the one that the caller runs in. Whoever begins it ends it. */
  begin(start: SpanStart): Span {
    return this.#begin(start, this.#running.getStore() ?? ROOT_CONTEXT);
  }

  /** Begins a span that goes on in the trace of somebody else, if there is one. */
  beginIn(traceparent: string | undefined, start: SpanStart): Span {
    const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? [];
    if (traceId === undefined || spanId === undefined) return this.#begin(start, ROOT_CONTEXT);
    const traceFlags = parseInt(flags ?? '0', 16);
    return this.#begin(start, trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true }));
  }

  /** Lets something run in a span: spans that begin meanwhile are below it. */
  within<Value>(span: Span, work: () => Value): Value {
    return this.#running.run(trace.setSpan(this.#running.getStore() ?? ROOT_CONTEXT, span), work);
  }

  /** Ends a span. `error` says what kind of failure it was; the words of an error may hold what users wrote. */
  end(span: Span, error?: string): void {
    if (error !== undefined) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    this.#open.delete(span);
  }

  /** Ends the spans that are open: what they stand for goes on in the next process, or never. */
  endAll(): void {
    for (const span of [...this.#open].toReversed()) this.end(span);
  }

  #begin({ name, kind, attributes }: SpanStart, parent: Context): Span {
    const span = this.#tracer.startSpan(name, { kind, attributes }, parent);
    this.#open.add(span);
    return span;
  }

  #current(): ReturnType<Span['spanContext']> | undefined {
    const context = this.#running.getStore();
    return context === undefined ? undefined : trace.getSpanContext(context);
  }
}
