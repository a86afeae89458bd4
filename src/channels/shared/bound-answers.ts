import type { FastifyInstance } from 'fastify';
import { HelperError } from '../../core/errors/helper-error.ts';
import { type RequestBounds, tooMuchOfCaller } from './bound-requests.ts';
import { ByteRoom, callerOfBytes } from './byte-room.ts';
import { cutStalled } from './cut-unread.ts';
import { onceOver } from './once-over.ts';

/** Bytes. Shorter answers are not counted: the number of open sockets already limits them. */
const uncountedBytes = 64 * 1024;
/** Milliseconds after which a client that leaves answers unread may come back. */
const retryAfterMs = 1000;

/**
 * Bounds the bytes of long answers that one caller, and all callers, have not read yet. A client may ask for answers and read none of them:
 * each stays in memory until it is read. One that is too many is refused if it only reads. The others are counted and given: what they tell
 * has happened. Of an answer that is streamed a few pieces are in memory, and whoever writes it waits for its client, but not for ever.
 */
export function boundAnswers(
  app: FastifyInstance,
  services: Pick<RequestBounds, 'metrics' | 'security'>,
  { stallTimeoutMs }: { readonly stallTimeoutMs?: number } = {},
): void {
  const unread = new ByteRoom();
  // eslint-disable-next-line max-params -- Fastify's hook has four
  app.addHook('onSend', (request, reply, payload, next) => {
    if (isStreamed(payload)) cutStalled(reply, stallTimeoutMs);
    const bytes = bytesOf(payload);
    if (bytes <= uncountedBytes) {
      next(null, payload);
      return;
    }
    const caller = callerOfBytes(request);
    const full = request.method === 'GET' ? unread.fullFor(caller, bytes) : undefined;
    if (full === 'all') {
      next(new HelperError('overloaded', 'Too many answers are not read yet.', { retryAfterMs }));
      return;
    }
    if (full === 'caller') {
      next(tooMuchOfCaller(request, 'unread', services));
      return;
    }
    unread.take(caller, bytes, (over) => {
      onceOver(reply, over);
    });
    next(null, payload);
  });
}

/** Of Node or of the web, alone or in a `Response`. */
function isStreamed(payload: unknown): boolean {
  return typeof payload === 'object' && payload !== null && !Buffer.isBuffer(payload);
}

/** Files are served from memory that all their answers share. */
function bytesOf(payload: unknown): number {
  return typeof payload === 'string' ? Buffer.byteLength(payload) : 0;
}
