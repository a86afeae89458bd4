import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Assistant } from '../../core/assistant.ts';
import { HelperError } from '../../core/errors/helper-error.ts';
import type { CallerRoom } from '../../core/limits/caller-room.ts';
import { countedCaller } from '../../core/limits/counted-caller.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { Turn } from '../../core/turn/live/turn.ts';
import { type Admission, noted } from '../shared/admit-requests.ts';
import { networkOf } from '../shared/client-network.ts';
import { isOver, onceOver } from '../shared/once-over.ts';
import { PingClock } from '../shared/ping-clock.ts';
import { SaidBefore, type SaidBeforeOptions } from '../shared/said-before.ts';
import { StreamPlaces } from '../shared/stream-places.ts';
import { traceContextOf } from '../shared/trace-context.ts';
import { streamHeaders } from '../shared/stream-headers.ts';
import type { WrittenReply } from './chat-wire.ts';
import { turnFault } from './openai-fault.ts';
import type { Asked } from './read-asked.ts';
import { ReplyEvents, type ReplyTexts } from './reply-events.ts';
import { ReplyStream } from './reply-stream.ts';
import { type EndedReply, isReply, type ReplyWire } from './reply-wire.ts';

/** What replies are made of. */
export interface RepliesOptions extends SaidBeforeOptions {
  readonly assistant: Assistant;
  readonly admission: Admission;
  readonly metrics: Pick<Metrics, 'of'>;
  /** Most requests that are answered at a time (`server.maxConnections`). */
  readonly maxStreams: number;
  readonly rooms: { readonly connections: CallerRoom; readonly turns: CallerRoom };
  readonly texts: ReplyTexts;
  /** As that of `StreamBody`. */
  readonly stallTimeoutMs?: number;
}

/** How one request is to be answered. */
export interface Answering {
  readonly asked: Asked;
  readonly isStreamed: boolean;
  readonly wireOf: (reply: WrittenReply) => ReplyWire;
  readonly model: string;
}

/** Answers requests, each with the reply of a turn of its own (contract/openai.md#messages). */
export class Replies {
  readonly #options: RepliesOptions;
  readonly #pings = new PingClock(15_000);
  readonly #places: StreamPlaces;
  readonly #saidBefore: SaidBefore;

  constructor(options: RepliesOptions) {
    this.#options = options;
    this.#places = new StreamPlaces({ ...options, channel: 'openai' });
    this.#saidBefore = new SaidBefore(options);
  }

  /** Begins the turn of a request. */
  answer(request: FastifyRequest, reply: FastifyReply, answering: Answering): FastifyReply | Promise<object> {
    const { assistant, admission } = this.#options;
    // The client left while the server checked who it is, so no turn begins.
    if (isOver(reply)) return reply.hijack();
    if (assistant.draining) throw new HelperError('server_draining', 'The server is shutting down.');
    const { principal, authorization } = admission.identity.of(request);
    const address = networkOf(request.ip);
    const caller = countedCaller(principal, address);
    noted(request, admission, () => {
      this.#places.checkTurn(caller);
    });
    this.#places.take(reply, caller);
    const session = assistant.openSession({ channel: 'openai', principal, authorization, address });
    const { text, attachments } = answering.asked;
    this.#saidBefore.takeUp(session, answering.asked.earlier);
    // Large pictures are not kept as long as the reply takes.
    request.body = undefined;
    const message = { text, ...(attachments.length === 0 ? {} : { attachments }) };
    const turn = session.startNow(message, {
      traceparent: traceContextOf(request),
      isReadWhole: !answering.isStreamed,
    });
    this.#saidBefore.note(text, principal, turn);
    // Nobody else reads the turn, and nobody comes back to it.
    onceOver(reply, () => {
      session.close('connection-closed');
    });
    const { model } = answering;
    const wire = answering.wireOf({ turnId: turn.id, model, created: Math.floor(Date.now() / 1000) });
    const events = new ReplyEvents(this.#options.texts);
    if (!answering.isStreamed) return whole(reply, turn, { wire, events });
    reply.hijack();
    // The headers that CORS has set are in Fastify's reply. The raw response does not know them.
    const set = reply.getHeaders() as OutgoingHttpHeaders; // the same names and values, in Node's words
    reply.raw.writeHead(200, { ...streamHeaders, ...set });
    const { stallTimeoutMs } = this.#options;
    new ReplyStream(turn, reply, { wire, events, pings: this.#pings, stallTimeoutMs }).open();
    return reply;
  }
}

/** Answers once the turn has ended. */
async function whole(
  reply: FastifyReply,
  turn: Turn,
  { wire, events }: { readonly wire: ReplyWire; readonly events: ReplyEvents },
): Promise<object> {
  const ended = await new Promise<EndedReply>((resolve) => {
    const onEvent = (event: Parameters<ReplyEvents['read']>[0]): void => void events.read(event);
    const onEnd = (): void => {
      resolve(events.endOf(turn));
    };
    if (turn.subscribe({ onEvent, onEnd }, 0) === undefined) onEnd();
  });
  void reply.header('cache-control', 'no-store');
  if (isReply(ended)) return wire.whole(ended);
  const { status, body } = turnFault(ended.code, ended.message);
  void reply.code(status);
  if (ended.retryAfter !== undefined) void reply.header('retry-after', String(ended.retryAfter));
  return body;
}
