import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { BusReader, ReplicaBus } from '../../../core/ports/replica-bus.ts';
import { cutUnread } from '../cut-unread.ts';
import { markForwarded } from './forwarded-lines.ts';
import { endToEnd, type ForwardedAnswer, type ForwardedRequest, readForwardedRequest } from './forwarded-request.ts';
import { lineInProcess } from './line-in-process.ts';
import { inPieces, readPiece, sentPiece } from './pieces.ts';
import { forwardedKinds } from './request-forwarder.ts';

/** Bytes of the headers of a request and of an answer. Requests have met the limit of their own server, and some headers more. */
const maxHeaderSize = 128 * 1024;

export interface ForwardedAnswersOptions {
  readonly app: FastifyInstance;
  readonly bus: ReplicaBus;
  /** Milliseconds that the other replica may leave the rest of an answer unread, as `cutUnread` counts them. */
  readonly patienceMs: number;
}

/**
 * Answers what other replicas forward as if its clients had come here. Each request comes in over a line of its own in this process, as HTTP,
 * so that everything that looks at a request and its client sees what it would see otherwise: the credentials, the address, and the end of
 * the line when the client leaves.
 */
export function answerForwarded({ app, bus, patienceMs }: ForwardedAnswersOptions): void {
  const server = createServer({ maxHeaderSize, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
    cutUnread(response, patienceMs);
    app.routing(request, response);
  });
  const openLine = (head: ForwardedRequest): Duplex => {
    const [outer, inner] = lineInProcess();
    Object.assign(inner, { remoteAddress: head.address, encrypted: head.encrypted });
    markForwarded(inner);
    server.emit('connection', inner);
    return outer;
  };
  bus.offer(forwardedKinds.request, (asked, reader) => {
    const head = readForwardedRequest(asked);
    return answerOf(head, { line: openLine(head), reader, bus });
  });
}

interface AnswerServices extends Pick<ForwardedAnswersOptions, 'bus'> {
  readonly line: Duplex;
  readonly reader: BusReader;
}

/** The messages of an answer: its beginning, and then the pieces of its body. */
async function* answerOf(head: ForwardedRequest, services: AnswerServices): AsyncIterable<ForwardedAnswer | string> {
  const { line, reader } = services;
  const onAbort = (): void => void line.destroy();
  reader.signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (reader.signal.aborted) return;
    const response = await responseTo(head, services);
    yield { status: response.statusCode ?? 500, headers: endToEnd(response.headers) };
    for await (const piece of inPieces(response)) yield sentPiece(piece);
  } finally {
    reader.signal.removeEventListener('abort', onAbort);
    line.destroy();
  }
}

async function responseTo(head: ForwardedRequest, services: AnswerServices): Promise<IncomingMessage> {
  const { method, path, body, bodyId } = head;
  const headers = { ...head.headers, connection: 'close' };
  const asked = httpRequest({ createConnection: () => services.line, method, path, headers, maxHeaderSize });
  const answered = once(asked, 'response');
  // The fault of a line that breaks later belongs to the answer.
  asked.on('error', () => undefined);
  if (bodyId === null) asked.end(body === null ? undefined : Buffer.from(body, 'base64'));
  else
    void sendBody(asked, bodyId, services).catch((error: unknown) => {
      asked.destroy(error instanceof Error ? error : undefined);
    });
  const [response] = (await answered) as [IncomingMessage]; // what Node gives with this event
  return response;
}

/** Sends the body that the other replica streams, as fast as it is read here. */
async function sendBody(
  asked: ClientRequest,
  bodyId: string,
  { bus, reader }: Pick<AnswerServices, 'bus' | 'reader'>,
): Promise<void> {
  const call = { replica: reader.replica, kind: forwardedKinds.body, body: bodyId };
  const ended = AbortSignal.any([reader.signal, closed(asked)]);
  for await (const piece of await bus.follow(call, ended)) {
    if (!asked.write(readPiece(piece))) await once(asked, 'drain', { signal: ended });
  }
  asked.end();
}

/** Aborts when the request is over, be its body sent or not. */
function closed(asked: ClientRequest): AbortSignal {
  const controller = new AbortController();
  asked.once('close', () => {
    controller.abort();
  });
  return controller.signal;
}
