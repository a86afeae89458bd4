import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Assistant, TurnMessage } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { Turn } from '../../core/turn/turn.ts';
import { type ChatBody, chatBodySchema } from '../../wire/chat-body.ts';
import { type Admission, admitRequests } from '../shared/admit-requests.ts';
import { requireJson } from '../shared/require-json.ts';
import { securityHeaders } from '../shared/security-headers.ts';
import { traceContextOf } from '../shared/trace-context.ts';
import { PingClock } from './ping-clock.ts';
import { parseLastEventId } from './sse-frame.ts';
import { SseStream } from './sse-stream.ts';

export interface SseChannelOptions {
  /** `server.ssePath` under `server.basePath`. */
  readonly path: string;
  readonly assistant: Assistant;
  readonly admission: Admission;
  readonly metrics: Metrics;
  /** Largest body in bytes. */
  readonly bodyLimit: number;
  /** Most open streams (`server.maxConnections`); the next is answered `overloaded`. */
  readonly maxStreams: number;
  /** Milliseconds between comments on a quiet stream. Default 15,000. */
  readonly pingIntervalMs?: number;
  /** Milliseconds a client may leave its buffer full before its stream is closed. Default 60,000. */
  readonly stallTimeoutMs?: number;
}

/** `GET` and `POST {server.ssePath}`: one question, one stream (wire.md 4). Each request is its own conversation. */
export const sseChannel: FastifyPluginCallback<SseChannelOptions> = (app, options, done) => {
  const pings = new PingClock(options.pingIntervalMs ?? 15_000);
  let openStreams = 0;
  admitRequests(app, options.admission);
  app.get(options.path, { onRequest: samePageCheck(options.admission) }, (request, reply) => {
    const { message } = request.query as Readonly<Record<string, unknown>>; // Fastify's parser makes an object
    return answer(request, reply, () => {
      if (typeof message !== 'string') throw new HelperError('invalid_request', 'The query needs one message.');
      return { text: message };
    });
  });
  app.post<{ Body: ChatBody }>(
    options.path,
    { schema: { body: chatBodySchema }, bodyLimit: options.bodyLimit, onRequest: requireJson },
    (request, reply) => answer(request, reply, () => messageOf(request.body)),
  );

  function answer(request: FastifyRequest, reply: FastifyReply, message: () => TurnMessage): FastifyReply {
    // The client left while it was found out who it is: its end was told already, and nobody would read the turn.
    if (reply.raw.destroyed) return reply.hijack();
    const { principal, authorization } = options.admission.identity.of(request);
    const lastEventId = request.headers['last-event-id'];
    // A reconnect never starts a turn: it would run and bill the question again (wire.md 4).
    if (lastEventId !== undefined) return resume(reply, String(lastEventId), principal);
    if (options.assistant.draining) throw draining();
    checkRoom();
    const asked = message();
    const session = options.assistant.openSession({ channel: 'sse', principal, authorization });
    const turn = session.startNow(asked, { traceparent: traceContextOf(request) });
    void turn.result.then(() => {
      session.close('connection-closed');
    });
    return stream(reply, turn, 0);
  }

  function checkRoom(): void {
    if (openStreams >= options.maxStreams) throw new HelperError('overloaded', 'Too many streams are open.');
  }

  function resume(reply: FastifyReply, lastEventId: string, caller: Principal): FastifyReply {
    const continued = continuedTurn(options.assistant, lastEventId, caller);
    // A turn that goes on after the restart must not be given up: 204 makes a browser stop asking.
    if (continued === undefined && options.assistant.draining) throw draining();
    if (continued === undefined) return reply.code(204).send();
    // The reader of a running turn takes its own place again.
    if (!continued.turn.running) checkRoom();
    return stream(reply, continued.turn, continued.seq);
  }

  function stream(reply: FastifyReply, turn: Turn, afterSeq: number): FastifyReply {
    reply.hijack();
    // What CORS has set lives in Fastify's reply, which the raw response knows nothing of.
    const set = reply.getHeaders() as OutgoingHttpHeaders; // the same names and values, in Node's words
    reply.raw.writeHead(200, { ...streamHeaders, ...set, 'x-turn-id': turn.id });
    openStreams += 1;
    options.metrics.connectionsChanged('sse', 1);
    reply.raw.once('close', () => {
      openStreams -= 1;
      options.metrics.connectionsChanged('sse', -1);
    });
    new SseStream(reply.raw, turn.id, {
      afterSeq,
      pings,
      stallTimeoutMs: options.stallTimeoutMs ?? 60_000,
    }).open(turn);
    return reply;
  }
  done();
};

/** This GET runs a turn, which no page of another site may make a signed-in browser do (wire.md 1). */
function samePageCheck({ guard, identity }: Admission): onRequestHookHandler {
  return (request, _reply, next) => {
    if (identity.of(request).carrier === 'cookie') guard.checkSamePage(request);
    next();
  };
}

const streamHeaders = {
  ...securityHeaders,
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** The turn that `Last-Event-ID` names and the number to go on from; undefined when nothing can come of it any more. */
function continuedTurn(
  assistant: Assistant,
  lastEventId: string,
  caller: Principal,
): { readonly turn: Turn; readonly seq: number } | undefined {
  const last = parseLastEventId(lastEventId);
  const turn = last === undefined ? undefined : assistant.findTurn(last.turnId, caller);
  if (last === undefined || turn === undefined || (!turn.running && last.seq >= turn.lastSeq)) return undefined;
  return turn.canReplay(last.seq) ? { turn, seq: last.seq } : undefined;
}

function draining(): HelperError {
  return new HelperError('server_draining', 'The server is shutting down.');
}

function messageOf(body: ChatBody): TurnMessage {
  return { text: body.message, ...(body.attachments === undefined ? {} : { attachments: body.attachments }) };
}
