import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { tenantOf } from '../../core/identity/principal.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { SecurityLog } from './security-log.ts';
import { GatheredBody } from './gathered-body.ts';
import { answerUnknownAddress } from './problem-json.ts';
import { callerOfBytes, UploadRoom } from './upload-room.ts';

export interface RequestBounds {
  /** Whether the address of a request had too many running requests when the request came in (`server.maxRequestsPerAddress`). */
  readonly isTooMany: (request: IncomingMessage) => boolean;
  /** Paths of probes, which are always answered. */
  readonly exempt: readonly string[];
  readonly metrics: Pick<Metrics, 'of'>;
  readonly security: Pick<SecurityLog, 'noteRefusal'>;
}

/** Bytes. Smaller bodies are not counted: the number of open sockets already limits them, and most messages are that short. */
const uncountedBytes = 4 * 1024;
/** Bytes. The pieces of smaller bodies are kept as they come. */
const ungatheredBytes = 512;
/** Milliseconds after which a client with too many running requests may come back. */
const retryAfterMs = 1000;

/**
 * Refuses a request that is too much before its body is read, as soon as its caller is known. It limits the running requests of one
 * address, and the bytes that one caller and all callers are uploading. A request to an unknown address is answered without reading its
 * body.
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
    const refusal = bytes <= uncountedBytes ? undefined : uploads.begin(callerOfBytes(request), bytes, request.raw);
    if (refusal === undefined) next(null, bytes <= ungatheredBytes ? payload : gathered(payload));
    else if (refusal === 'caller') next(tooMany(request, 'uploads'));
    else next(new HelperError('overloaded', 'Too much is being uploaded.'));
  });
}

/** Ends with an error where the body does. */
function gathered(body: Readable): Readable {
  return pipeline(body, new GatheredBody(), () => undefined);
}

const texts = {
  requests: 'Too many requests from this address are under way.',
  uploads: 'Too much is being uploaded by this caller.',
} as const;

/**
 * The most bytes that a request may make the server hold before it has arrived completely. A request that announces more is refused unread.
 */
function bodyBytes({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  const length = Number(headers['content-length'] ?? 0);
  return length > bodyLimit ? 0 : length;
}
