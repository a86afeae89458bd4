import { type Attributes, textAsJson } from './attributes.ts';
import type { Span } from './span.ts';

const kinds = { internal: 1, server: 2, client: 3 } as const;
/** The lowest bit says that the trace is sampled. Only spans of sampled traces are sent. */
const flags = { sampled: 1, hasRemoteness: 0x1_00, isRemote: 0x2_00 } as const;
const failed = 2;

/** Writes an ended span in the JSON of OTLP. */
export function spanAsJson({ trace, parent, id, name, kind, attributes, isFailed, start, duration }: Span): string {
  const above = parent?.id ?? trace.parentSpanId;
  const isBelowRemote = parent === undefined && above !== undefined;
  return (
    `{"traceId":"${trace.id}","spanId":"${id}"${above === undefined ? '' : `,"parentSpanId":"${above}"`}` +
    `,"name":${textAsJson(name)},"kind":${kinds[kind]},"startTimeUnixNano":"${nanoseconds(trace.epoch + start)}"` +
    `,"endTimeUnixNano":"${nanoseconds(trace.epoch + start + duration)}","attributes":[${attributes.slice(1)}]` +
    `,"status":{${isFailed ? `"code":${failed}` : ''}}` +
    `,"flags":${flags.sampled | flags.hasRemoteness | (isBelowRemote ? flags.isRemote : 0)}}`
  );
}

/** The text around the spans of a request. `resource` is the sender, `scope` the name of the tracer and its version. */
export function requestFrame(resource: Attributes, scope: object): { readonly before: string; readonly after: string } {
  const sender = `"resource":{"attributes":[${resource.slice(1)}]}`;
  return {
    before: `{"resourceSpans":[{${sender},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`,
    after: ']}]}]}',
  };
}

/** A double is exact to about a microsecond here. Two small numbers are written faster than one large number. */
function nanoseconds(epochMs: number): string {
  const seconds = Math.floor(epochMs / 1000);
  const microseconds = Math.floor((epochMs - seconds * 1000) * 1000);
  return `${seconds}${(1_000_000 + microseconds).toString().slice(1)}000`;
}
