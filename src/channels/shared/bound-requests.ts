import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { tenantOf } from '../../core/identity/principal.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { SecurityLog } from './security-log.ts';
import { GatheredBody } from './gathered-body.ts';
import { answerUnknownAddress } from './problem-json.ts';
import { ByteRoom, callerOfBytes } from './byte-room.ts';

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
  const uploads = new ByteRoom();
  const probes = new Set(exempt);
  const tooMany = (request: FastifyRequest, refusal: keyof typeof texts): HelperError =>
    tooMuchOfCaller(request, refusal, { metrics, security });
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
    const caller = callerOfBytes(request);
    const full = bytes <= uncountedBytes ? undefined : uploads.fullFor(caller, bytes);
    if (full === 'caller') next(tooMany(request, 'uploads'));
    else if (full === 'all') next(new HelperError('overloaded', 'Too much is being uploaded.'));
    else {
      if (bytes > uncountedBytes) uploads.take(caller, bytes, onceArrived(request.raw));
      next(null, bytes <= ungatheredBytes ? payload : gathered(payload));
    }
  });
}

/** A request closes once its body is whole, or once its client has gone. It may have gone while its credentials were checked. */
function onceArrived(request: IncomingMessage): (over: () => void) => void {
  return (over) => {
    if (request.destroyed) over();
    else request.once('close', over);
  };
}

/** Ends with an error where the body does. */
function gathered(body: Readable): Readable {
  return pipeline(body, new GatheredBody(), () => undefined);
}

const texts = {
  requests: 'Too many requests from this address are under way.',
  uploads: 'Too much is being uploaded by this caller.',
  unread: 'Too many answers to this caller are not read yet.',
} as const;

/** Counts and logs that a caller has too much under way. Returns the refusal. */
export function tooMuchOfCaller(
  request: FastifyRequest,
  refusal: keyof typeof texts,
  { metrics, security }: Pick<RequestBounds, 'metrics' | 'security'>,
): HelperError {
  const error = new HelperError('rate_limited', texts[refusal], { retryAfterMs, refusal });
  const principal = request.helperCaller?.principal;
  metrics.of(principal && tenantOf(principal)).rateLimited('request');
  security.noteRefusal(request, error);
  return error;
}

/**
 * The most bytes that a request may make the server hold before it has arrived completely. A request that announces more is refused unread.
 */
function bodyBytes({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  const length = Number(headers['content-length'] ?? 0);
  return length > bodyLimit ? 0 : length;
}
