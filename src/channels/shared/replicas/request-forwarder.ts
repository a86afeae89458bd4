import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomId } from '../../../core/base/random-id.ts';
import { HelperError } from '../../../core/errors/helper-error.ts';
import { AnswerFailed } from '../../../core/ports/answer-failed.ts';
import { BusAway } from '../../../core/ports/bus-away.ts';
import { clusterUnavailable, overBus } from '../../../core/ports/over-bus.ts';
import type { ReplicaBus } from '../../../core/ports/replica-bus.ts';
import { ReplicaGone } from '../../../core/ports/replica-gone.ts';
import { isOver, onceOver } from '../once-over.ts';
import { text } from '../read-values.ts';
import { endToEnd, type ForwardedRequest, readForwardedAnswer } from './forwarded-request.ts';
import { inPieces, readPiece, sentPiece, wholeBody } from './pieces.ts';

/** The most requests that a replica forwards at a time. The bus carries twice as many streams, and bodies are streams, too. */
const mostForwarded = 400;

/** The kinds under which replicas know the two streams. */
export const forwardedKinds = { request: 'forwarded-request', body: 'forwarded-body' } as const;

/** A request that another replica is to answer. */
export interface ForwardedHere {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The body, whether it was read before or not. Left out, the request is sent without one. */
  readonly body?: Buffer | Readable | undefined;
}

interface OfferedBody {
  readonly replica: string;
  readonly pieces: AsyncIterable<Buffer>;
}

/**
 * Lets another replica answer a request. The whole request goes there, credentials included, and that replica asks by itself who the
 * caller is. The bus seals everything that it carries, so that nobody who can read Redis learns a credential.
 */
export class RequestForwarder {
  readonly #bus: ReplicaBus;
  readonly #bodies = new Map<string, OfferedBody>();
  #running = 0;

  constructor(bus: ReplicaBus) {
    this.#bus = bus;
    bus.offer(forwardedKinds.body, (asked, { replica }) => sentBody(this.#bodyFor(asked, replica)));
  }

  /**
   * Answers with what the other replica answers. Returns false when there is no such replica any more: the request is then still to be
   * answered, but its body may have been read.
   * @throws HelperError `cluster_unavailable` when nobody knows whether the other replica has answered; `overloaded` when too many requests
   * are being forwarded.
   */
  async forward(replica: string, { request, reply, body }: ForwardedHere): Promise<boolean> {
    // The client has left before.
    if (isOver(reply)) return true;
    if (this.#running >= mostForwarded) throw new HelperError('overloaded', 'Too much is asked of other replicas.');
    const left = new AbortController();
    const bodyId = randomId();
    const over = (): void => {
      this.#running -= 1;
      this.#bodies.delete(bodyId);
      left.abort();
    };
    this.#running += 1;
    const stopListening = onceOver(reply, over);
    try {
      const head = await this.#headOf(request, { replica, body, bodyId });
      const answer = await overBus(() => this.#ask(replica, head, left.signal));
      void reply
        .code(answer.status)
        .headers(answer.headers)
        .send(Readable.from(answer.pieces, { objectMode: false }));
      return true;
    } catch (error) {
      // The client has left: nobody reads an answer.
      if (left.signal.aborted) return true;
      if (!(error instanceof ReplicaGone)) throw faultOf(error);
      stopListening();
      over();
      return false;
    }
  }

  async #headOf(
    request: FastifyRequest,
    { replica, body, bodyId }: { replica: string; body: ForwardedHere['body']; bodyId: string },
  ): Promise<ForwardedRequest> {
    const whole = await wholeBody(body, request.headers);
    const isStream = body !== undefined && whole === undefined;
    if (isStream) this.#bodies.set(bodyId, { replica, pieces: inPieces(body) });
    const { 'content-length': length, ...headers } = endToEnd(request.headers);
    const known = Buffer.isBuffer(body) ? body : whole;
    const contentLength = known === undefined ? (isStream ? length : undefined) : String(known.length);
    const { socket, url = '/', method = 'GET' } = request.raw;
    return {
      method,
      // A client may send a whole address, as to a proxy (RFC 9112, 3.2.2).
      path: url.replace(/^https?:\/\/.*?\//, '/'),
      headers: {
        ...headers,
        'x-request-id': request.id,
        ...(contentLength === undefined ? {} : { 'content-length': contentLength }),
      },
      address: socket.remoteAddress ?? '',
      encrypted: 'encrypted' in socket && socket.encrypted === true,
      body: whole?.toString('base64') ?? null,
      bodyId: isStream ? bodyId : null,
    };
  }

  async #ask(
    replica: string,
    head: ForwardedRequest,
    signal: AbortSignal,
  ): Promise<ReturnType<typeof readForwardedAnswer> & { readonly pieces: AsyncIterable<Buffer> }> {
    const call = { replica, kind: forwardedKinds.request, body: head };
    const stream = (await this.#bus.follow(call, signal))[Symbol.asyncIterator]();
    const first = await stream.next();
    if (first.done === true) throw new BusAway('the other replica has not answered');
    return { ...readForwardedAnswer(first.value), pieces: piecesOf(stream) };
  }

  #bodyFor(asked: unknown, replica: string): AsyncIterable<Buffer> {
    const id = text(asked, 'the id of a body');
    const offered = this.#bodies.get(id);
    if (offered?.replica !== replica) throw new AnswerFailed('not_found');
    this.#bodies.delete(id);
    return offered.pieces;
  }
}

async function* sentBody(pieces: AsyncIterable<Buffer>): AsyncIterable<string> {
  for await (const piece of pieces) yield sentPiece(piece);
}

async function* piecesOf(stream: AsyncIterator<unknown>): AsyncIterable<Buffer> {
  try {
    for (let next = await stream.next(); next.done !== true; next = await stream.next()) yield readPiece(next.value);
  } catch (error) {
    // It has begun to answer, so nobody else may. Where nothing of the body was sent yet, the client can still be told.
    if (!(error instanceof ReplicaGone || error instanceof BusAway)) throw error;
    throw clusterUnavailable(error);
  } finally {
    await stream.return?.();
  }
}

/** What the client reads of a request that the other replica has not answered. */
function faultOf(error: unknown): unknown {
  if (!(error instanceof AnswerFailed)) return error;
  const cause = { cause: error };
  switch (error.code) {
    case 'overloaded':
      return new HelperError('overloaded', 'The server that knows of this has too much to do.', cause);
    case 'unknown_kind':
      // A replica that is starting, or one of another version.
      return new HelperError('cluster_unavailable', 'The server that knows of this cannot answer now.', cause);
    default:
      return error;
  }
}
