import { performance } from 'node:perf_hooks';
import { randomHexId } from '../../core/base/random-id.ts';
import type { Attributes } from './attributes.ts';

/** A span to begin. */
export interface SpanStart {
  readonly name: string;
  /** `client`: a request to another server stands behind it. */
  readonly kind: 'internal' | 'client';
  readonly attributes: Attributes;
}

/** The trace of a turn. */
export interface Trace {
  readonly id: string;
  /** The span of another process that the turn is below. */
  readonly parentSpanId: string | undefined;
  /** Nobody wants to see the spans of an unsampled trace: they have ids for those who are called, and are not sent. */
  readonly isSampled: boolean;
  /** Epoch milliseconds at zero of the monotonic clock: one for all spans of a turn, so that none ends before it began. */
  readonly epoch: number;
}

/**
 * A span: no more than its facts, because each turn makes several. Those of OpenTelemetry's SDK, and their way through it, took
 * a fifth of a short turn's CPU time (docs/decisions/0011-own-spans.md).
 */
export class Span {
  readonly trace: Trace;
  /** The span above of this process. */
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

/** The trace that a turn goes on in: that of `traceparent`, else one of its own. */
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

/** 64 bits in hexadecimal digits. They need not be unguessable: no two spans of a trace may have the same ones. */
function nextId(): string {
  lastId = (lastId + 1) % 2 ** 28;
  return firstHalf + (2 ** 28 + lastId).toString(16);
}
