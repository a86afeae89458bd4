import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { says } from './gen-ai.ts';
import type { Attributes } from './attributes.ts';
import { Span, type SpanStart, traceOf } from './span.ts';

/** The spans of this process: which of them the caller runs in, and which are open. */
export class Spans {
  readonly #running = new AsyncLocalStorage<Span>();
  readonly #open = new Set<Span>();
  readonly #ended: (span: Span) => void;

  /** `ended` gets each span that is over, unless its trace is not sampled. */
  constructor(ended: (span: Span) => void) {
    this.#ended = ended;
  }

  /** The span that the caller runs in. */
  get current(): Span | undefined {
    return this.#running.getStore();
  }

  /** Begins a span below the one that the caller runs in. Whoever begins it ends it. */
  begin(start: SpanStart): Span {
    const { current } = this;
    return this.#opened(new Span(current?.trace ?? traceOf(undefined), current, start));
  }

  /** Begins a span that goes on in the trace of somebody else; if there is none, in one of its own. */
  beginIn(traceparent: string | undefined, start: SpanStart): Span {
    return this.#opened(new Span(traceOf(traceparent), undefined, start));
  }

  /** Lets something run in a span: spans that begin meanwhile are below it. */
  within<Value>(span: Span, work: () => Value): Value {
    return this.#running.run(span, work);
  }

  /** Ends a span. `attributes`: what became known of it; `error`: what kind of failure it was, for words may hold what users wrote. */
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

  /** Ends the spans that are open: what they stand for goes on in the next process, or never. */
  endAll(): void {
    for (const span of [...this.#open].toReversed()) this.end(span);
  }

  #opened(span: Span): Span {
    this.#open.add(span);
    return span;
  }
}
