import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { tenantOf } from '../../core/identity/principal.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { SecurityLog } from './security-log.ts';
import { networkOf } from './client-network.ts';
import { answerUnknownAddress } from './problem-json.ts';
import { UploadRoom } from './upload-room.ts';

export interface RequestBounds {
  /** Whether the address of a request had too many under way when it came in (`server.maxRequestsPerAddress`). */
  readonly isTooMany: (request: IncomingMessage) => boolean;
  /** Paths of probes, which are always answered. */
  readonly exempt: readonly string[];
  readonly metrics: Pick<Metrics, 'of'>;
  readonly security: Pick<SecurityLog, 'noteRefusal'>;
}

/** Bodies up to this size are not counted: the sockets that may be open bound them, and most messages are that short. */
const uncountedBytes = 4 * 1024;
/** When a client that had too much under way may come back. */
const retryAfterMs = 1000;

/**
 * Refuses what would be too much before its body is read, once it is known who asks: requests of one address at once, and bytes that
 * are being uploaded by one caller and in all. A request to no address of this server is answered without its body.
 */
export function boundRequests(app: FastifyInstance, { isTooMany, exempt, metrics, security }: RequestBounds): void {
  const uploads = new UploadRoom();
  const probes = new Set(exempt);
  function tooMany(request: FastifyRequest, refusal: 'requests' | 'uploads'): HelperError {
    const error = new HelperError('rate_limited', texts[refusal], { retryAfterMs, refusal });
    const principal = request.helperCaller?.principal;
    metrics.of(principal && tenantOf(principal)).rateLimited('request');
    security.noteRefusal(request, error);
    return error;
  }
  // eslint-disable-next-line max-params -- Fastify's hook has four
  app.addHook('preParsing', (request, reply, payload, next) => {
    if (request.is404) {
      answerUnknownAddress(app, request, reply);
      return;
    }
    if (isTooMany(request.raw) && !probes.has(request.routeOptions.url ?? '')) {
      next(tooMany(request, 'requests'));
      return;
    }
    const bytes = bodyBytes(request);
    const refusal = bytes <= uncountedBytes ? undefined : uploads.begin(callerOf(request), bytes, request.raw);
    if (refusal === undefined) next(null, payload);
    else if (refusal === 'caller') next(tooMany(request, 'uploads'));
    else next(new HelperError('overloaded', 'Too much is being uploaded.'));
  });
}

const texts = {
  requests: 'Too many requests from this address are under way.',
  uploads: 'Too much is being uploaded by this caller.',
} as const;

/** The most a request may make the server hold until it is whole. One that says it is larger is refused unread. */
function bodyBytes({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  const length = Number(headers['content-length'] ?? 0);
  return length > bodyLimit ? 0 : length;
}

function callerOf({ helperCaller, ip }: FastifyRequest): string {
  const principal = helperCaller?.principal;
  return principal?.kind === 'signed-in' ? `user ${principal.userKey}` : `address ${networkOf(ip)}`;
}
