import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { says } from './gen-ai.ts';
import type { Attributes } from './attributes.ts';
import { Span, type SpanStart, traceOf } from './span.ts';

/** The spans of this process. It knows the span that the caller runs in, and all open spans. */
export class Spans {
  readonly #running = new AsyncLocalStorage<Span>();
  readonly #open = new Set<Span>();
  readonly #ended: (span: Span) => void;

  /** `ended` gets each ended span whose trace is sampled. */
  constructor(ended: (span: Span) => void) {
    this.#ended = ended;
  }

  /** The span that the caller runs in. */
  get current(): Span | undefined {
    return this.#running.getStore();
  }

  /** Begins a span below the one that the caller runs in. The caller MUST end it. */
  begin(start: SpanStart): Span {
    const { current } = this;
    return this.#opened(new Span(current?.trace ?? traceOf(undefined), current, start));
  }

  /** Begins a span in the trace of `traceparent`. Without such a trace, it begins a new trace. */
  beginIn(traceparent: string | undefined, start: SpanStart): Span {
    return this.#opened(new Span(traceOf(traceparent), undefined, start));
  }

  /** Runs `work` in a span. Spans that begin meanwhile are below this span. */
  within<Value>(span: Span, work: () => Value): Value {
    return this.#running.run(span, work);
  }

  /**
   * Ends a span. `attributes` are further facts about it. `error` is only the kind of a failure, because its words may hold what users
   * wrote.
   */
  end(span: Span, attributes: Attributes = '', error?: string): void {
    span.duration = performance.now() - span.start;
    span.attributes += attributes;
    if (error !== undefined) {
      span.attributes += says.errorType(error);
      span.isFailed = true;
    }
    this.#open.delete(span);
    if (span.trace.isSampled) this.#ended(span);
  }

  /** Ends all open spans. Their work goes on in the next process, or never. */
  endAll(): void {
    for (const span of [...this.#open].toReversed()) this.end(span);
  }

  #opened(span: Span): Span {
    this.#open.add(span);
    return span;
  }
}
