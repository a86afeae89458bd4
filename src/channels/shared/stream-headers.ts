import { securityHeaders } from './security-headers.ts';

/** The headers of a stream of server-sent events. A response that bypasses Fastify has no others than those that are added to it. */
export const streamHeaders = {
  ...securityHeaders,
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;
