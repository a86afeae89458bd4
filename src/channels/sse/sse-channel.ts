import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import { tenantOf } from '../../core/identity/principal.ts';
import type { CallerRoom } from '../../core/limits/caller-room.ts';
import { type CountedCaller, countedCaller } from '../../core/limits/counted-caller.ts';
import type { SendOptions } from '../../core/request/send-options.ts';
import type { SentMessage } from '../../core/request/turn-request.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { Turn } from '../../core/turn/live/turn.ts';
import type { ChatBody } from '../../wire/chat-body.ts';
import { languageOfLocale } from '../../wire/client-settings.ts';
import { type Admission, admitRequests, noted } from '../shared/admit-requests.ts';
import { networkOf } from '../shared/client-network.ts';
import { isOver } from '../shared/once-over.ts';
import { checkMeant } from '../shared/meant-request.ts';
import { requireJson } from '../shared/require-json.ts';
import { traceContextOf } from '../shared/trace-context.ts';
import { askByQuerySchema, askSchema } from './chat-schemas.ts';
import { detachedBy, type DetachedRules } from './detached-request.ts';
import { PingClock } from '../shared/ping-clock.ts';
import { parseLastEventId } from './sse-frame.ts';
import { SseStream } from './sse-stream.ts';
import { StreamPlaces } from '../shared/stream-places.ts';
import { streamHeaders } from '../shared/stream-headers.ts';

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
  /** The connections and running turns of each caller, over all channels. */
  readonly rooms: { readonly connections: CallerRoom; readonly turns: CallerRoom };
  /** Left out, every answer is a stream. */
  readonly detached?: DetachedRules;
  /** Milliseconds between comments on a quiet stream. Default 15,000. */
  readonly pingIntervalMs?: number;
  /** As that of `StreamBody`. */
  readonly stallTimeoutMs?: number;
}

/** `GET` and `POST {server.ssePath}`: one question, one stream (contract/sse.md). Each request is its own conversation. */
export const sseChannel: FastifyPluginCallback<SseChannelOptions> = (app, options, done) => {
  const pings = new PingClock(options.pingIntervalMs ?? 15_000);
  const places = new StreamPlaces({ ...options, channel: 'sse' });
  admitRequests(app, options.admission);
  app.get<{ Querystring: { message?: string } }>(
    options.path,
    { schema: askByQuerySchema(options.admission), onRequest: meantCheck(options.admission) },
    (request, reply) => answer(request, reply, () => queryMessage(request.query)),
  );
  app.post<{ Body: ChatBody }>(
    options.path,
    { schema: askSchema(options.admission), bodyLimit: options.bodyLimit, onRequest: requireJson },
    (request, reply) => answer(request, reply, () => takeMessage(request, options.detached ?? neverDetached)),
  );

  function answer(request: FastifyRequest, reply: FastifyReply, message: () => AskedMessage): Answered {
    // The client left while the server checked who it is. The end of the response was already reported, and nobody would read the turn, so
    // no turn begins.
    if (isOver(reply)) return reply.hijack();
    const { principal, authorization } = options.admission.identity.of(request);
    // A reconnect never starts a turn: the turn would run again and bill the question again (contract/sse.md).
    if (request.headers['last-event-id'] !== undefined) return resume(request, reply);
    if (options.assistant.draining) throw draining();
    const address = networkOf(request.ip);
    const caller = countedCaller(principal, address);
    noted(request, options.admission, () => places.checkTurn(caller));
    const { detached, language, ...asked } = message();
    const session = options.assistant.openSession({ channel: 'sse', principal, authorization, address });
    const turn = session.startNow(asked, { traceparent: traceContextOf(request), language, detached });
    void turn.result.then(() => {
      session.close('connection-closed');
    });
    if (detached !== undefined) return leave(reply, turn, options.assistant);
    return stream(reply, turn, { afterSeq: 0, caller });
  }

  async function resume(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const continued = await continuedTurn(request, options);
    if (isOver(reply)) return reply.hijack();
    // The turn may go on after the restart, so the client must not give it up. The answer 204 would make a browser stop asking.
    if (continued === undefined && options.assistant.draining) throw draining();
    if (continued === undefined) return reply.code(204).send();
    // A client that reads a running turn again still has its place, so only an ended turn needs a new one.
    const { principal } = options.admission.identity.of(request);
    const counted = countedCaller(principal, networkOf(request.ip));
    if (!continued.turn.running) noted(request, options.admission, () => places.check(counted));
    options.metrics.of(tenantOf(principal)).connectionReturned('sse', 'turn');
    return stream(reply, continued.turn, { afterSeq: continued.seq, caller: counted });
  }

  function stream(
    reply: FastifyReply,
    turn: Turn,
    { afterSeq, caller }: { readonly afterSeq: number; readonly caller: CountedCaller | undefined },
  ): FastifyReply {
    reply.hijack();
    // The headers that CORS has set are in Fastify's reply. The raw response does not know them.
    const set = reply.getHeaders() as OutgoingHttpHeaders; // the same names and values, in Node's words
    reply.raw.writeHead(200, { ...streamHeaders, ...set, 'x-turn-id': turn.id });
    places.take(reply, caller);
    new SseStream(reply, turn.id, { afterSeq, pings, stallTimeoutMs: options.stallTimeoutMs }).open(turn);
    return reply;
  }
  done();
};

/** Answers once the turn goes on by itself, whatever happens to this process. */
async function leave(reply: FastifyReply, turn: Turn, assistant: Assistant): Promise<FastifyReply> {
  await assistant.untilKept(turn);
  const headers = { 'x-turn-id': turn.id, 'preference-applied': 'respond-async' };
  return reply.code(202).headers(headers).send({ turnId: turn.id });
}

/**
 * This GET runs a turn. So nothing that a browser does by itself may begin one, and no page of another website may make a signed-in browser
 * send it (contract/doors.md).
 */
function meantCheck(admission: Admission): onRequestHookHandler {
  const { guard, identity } = admission;
  return (request, _reply, next) => {
    noted(request, admission, () => {
      checkMeant(request);
      if (identity.of(request).carrier === 'cookie') guard.checkSamePage(request);
    });
    next();
  };
}

/**
 * The turn that `Last-Event-ID` names, and the number to go on from. Undefined when no events of that turn can come any
 * more.
 */
async function continuedTurn(
  request: FastifyRequest,
  { assistant, admission: { identity, security } }: SseChannelOptions,
): Promise<{ readonly turn: Turn; readonly seq: number } | undefined> {
  const last = parseLastEventId(String(request.headers['last-event-id']));
  if (last === undefined) return undefined;
  const { turnId, seq } = last;
  const caller = identity.of(request).principal;
  const turn = await assistant.findTurn(turnId, caller, (reason) => {
    security.noteResume({ who: security.presenterOf(caller, request.ip), turnId, reason });
  });
  if (turn === undefined) return undefined;
  if (!turn.running && seq >= turn.lastSeq) return undefined;
  return turn.canReplay(seq) ? { turn, seq } : undefined;
}

function draining(): HelperError {
  return new HelperError('server_draining', 'The server is shutting down.');
}

const neverDetached: DetachedRules = { isOn: false, webhookFault: () => undefined };

type Answered = FastifyReply | Promise<FastifyReply>;

/** A message, its language, and whether its turn goes on without a reader. */
type AskedMessage = SentMessage & Pick<SendOptions, 'language' | 'detached'>;

/**
 * Reads the body and lets go of it: the request lives as long as its stream, and attachments are large.
 * @throws HelperError as `detachedBy`.
 */
function takeMessage(request: FastifyRequest<{ Body: ChatBody }>, rules: DetachedRules): AskedMessage {
  const { message, attachments, locale } = request.body;
  const detached = detachedBy(request, rules);
  request.body = { message: '' };
  const language = locale === undefined ? undefined : languageOfLocale(locale);
  return { text: message, ...(attachments && { attachments }), language, detached };
}

function queryMessage({ message }: { readonly message?: string }): SentMessage {
  if (message === undefined) throw new HelperError('invalid_request', 'The query needs one message.');
  return { text: message };
}
