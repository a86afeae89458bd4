import type { FastifyRequest } from 'fastify';

const wellFormed = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The W3C trace context a request came with (contract/addresses.md#requests, `traceparent`); undefined for none, and for one that breaks its rules. */
export function traceContextOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? wellFormedTrace(traceparent) : undefined;
}

/** The trace context, if it follows the rules; undefined otherwise. */
export function wellFormedTrace(traceparent: string | undefined): string | undefined {
  return traceparent !== undefined && wellFormed.test(traceparent) ? traceparent : undefined;
}
