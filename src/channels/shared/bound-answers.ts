import type { FastifyInstance } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { tenantOf } from '../../core/identity/principal.ts';
import type { RequestBounds } from './bound-requests.ts';
import { callerOfBytes, UploadRoom } from './upload-room.ts';

/** Bytes. Shorter answers are not counted: the number of open sockets already limits them. */
const uncountedBytes = 64 * 1024;
/** Milliseconds after which a client that leaves answers unread may come back. */
const retryAfterMs = 1000;

/**
 * Bounds the bytes of long answers that one caller, and all callers, have not read yet. A client may ask for answers and read none of them:
 * each stays in memory until it is read. An answer that is one too many is replaced by a refusal.
 */
export function boundAnswers(
  app: FastifyInstance,
  { metrics, security }: Omit<RequestBounds, 'isTooMany' | 'exempt'>,
): void {
  const unread = new UploadRoom();
  // eslint-disable-next-line max-params -- Fastify's hook has four
  app.addHook('onSend', (request, reply, payload, next) => {
    const bytes = bytesOf(payload);
    const refusal = bytes <= uncountedBytes ? undefined : unread.begin(callerOfBytes(request), bytes, reply.raw);
    if (refusal === undefined) {
      next(null, payload);
      return;
    }
    if (refusal === 'all') {
      next(new HelperError('overloaded', 'Too many answers are not read yet.', { retryAfterMs }));
      return;
    }
    const error = new HelperError('rate_limited', 'Too many answers to this caller are not read yet.', {
      retryAfterMs,
      refusal: 'requests',
    });
    const principal = request.helperCaller?.principal;
    metrics.of(principal && tenantOf(principal)).rateLimited('request');
    security.noteRefusal(request, error);
    next(error);
  });
}

/** Files are served from memory that all their answers share, and streams are paused while their client reads nothing. */
function bytesOf(payload: unknown): number {
  return typeof payload === 'string' ? Buffer.byteLength(payload) : 0;
}
