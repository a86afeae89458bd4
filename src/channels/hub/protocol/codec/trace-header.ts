/** As long as a W3C trace context is. */
const traceLength = 55;

/** The trace context among the headers of a call, as the client sent it; undefined for none. */
export function traceHeader(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(headers, 'traceparent')?.value;
  return typeof value === 'string' && value.length === traceLength ? value : undefined;
}
