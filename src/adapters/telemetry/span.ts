import { performance } from 'node:perf_hooks';
import { randomHexId } from '../../core/base/random-id.ts';
import type { Attributes } from './attributes.ts';

/** The facts with which a span begins. */
export interface SpanStart {
  readonly name: string;
  /** `client`: the span is a request to another server; `server`: one that came from another. */
  readonly kind: 'internal' | 'client' | 'server';
  readonly attributes: Attributes;
}

/** The trace of a turn, or of a call that came without one. */
export interface Trace {
  readonly id: string;
  /** The span of another process above the turn. Undefined: there is none. */
  readonly parentSpanId: string | undefined;
  /** The spans of an unsampled trace are not sent. They have ids only for the servers that are called. */
  readonly isSampled: boolean;
  /** Epoch milliseconds at which the monotonic clock was 0. All spans of a turn share this number, so that none ends before it began. */
  readonly epoch: number;
}

/**
 * A span holds only its facts, because each turn makes several spans. The spans of OpenTelemetry's SDK, and their processing, took a fifth
 * of a short turn's CPU time (docs/decisions/0011-own-spans.md).
 */
export class Span {
  readonly trace: Trace;
  /** The span above this one in this process. */
  readonly parent: Span | undefined;
  readonly name: string;
  readonly kind: SpanStart['kind'];
  attributes: Attributes;
  isFailed = false;
  readonly id = nextId();
  /** Milliseconds of the monotonic clock. */
  readonly start = performance.now();
  duration = 0;

  constructor(trace: Trace, parent: Span | undefined, { name, kind, attributes }: SpanStart) {
    this.trace = trace;
    this.parent = parent;
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
  }

  /** The W3C trace context of this span, for requests to others. */
  get traceparent(): string {
    const { id, isSampled } = this.trace;
    return `00-${id}-${this.id}-${isSampled ? '01' : '00'}`;
  }
}

/** The trace of a turn: the trace of `traceparent`, else a new one. */
export function traceOf(traceparent: string | undefined): Trace {
  const match = traceparent === undefined ? null : /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent);
  if (match === null) {
    return { id: randomHexId(), parentSpanId: undefined, isSampled: true, epoch: epochNow() };
  }
  const [, id = '', parentSpanId, flags = ''] = match;
  return { id, parentSpanId, isSampled: (parseInt(flags, 16) & 1) === 1, epoch: epochNow() };
}

function epochNow(): number {
  return Date.now() - performance.now();
}

let lastId = Math.floor(Math.random() * 2 ** 28);
const firstHalf = randomHexId().slice(0, 8);

/** A new id: 64 bits in hexadecimal digits. Nobody needs to be unable to guess it, but no two spans of a trace may have the same id. */
function nextId(): string {
  lastId = (lastId + 1) % 2 ** 28;
  return firstHalf + (2 ** 28 + lastId).toString(16);
}
