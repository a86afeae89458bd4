import type { OutgoingHttpHeaders } from 'node:http';
import { JsonRpcTransportHandler } from '@a2a-js/sdk/server';
import type { FastifyReply } from 'fastify';
import { isOver } from '../shared/once-over.ts';
import type { PingClock } from '../shared/ping-clock.ts';
import { StreamBody } from '../shared/stream-body.ts';
import { streamHeaders } from '../shared/stream-headers.ts';

export interface StreamOptions {
  /** The id of the request. */
  readonly id: string | number;
  readonly pings: PingClock;
}

/**
 * Answers with a stream of answers. The first is awaited before the stream begins, so that a request that is refused gets an answer that is
 * no stream (contract/a2a-server.md#streams). The task runs on when its client has gone.
 */
export async function sendStream(
  reply: FastifyReply,
  answers: AsyncGenerator<unknown, void, undefined>,
  { id, pings }: StreamOptions,
): Promise<FastifyReply> {
  const fault = (error: unknown): object => ({
    jsonrpc: '2.0',
    id,
    error: JsonRpcTransportHandler.mapToJSONRPCError(error),
  });
  let answer: IteratorResult<unknown, void>;
  try {
    answer = await answers.next();
  } catch (error) {
    return reply.send(fault(error));
  }
  if (isOver(reply)) return reply.hijack();
  // The headers that CORS has set are in Fastify's reply. The raw response does not know them.
  const set = reply.getHeaders() as OutgoingHttpHeaders; // the same names and values, in Node's words
  reply.hijack();
  reply.raw.writeHead(200, { ...set, ...streamHeaders });
  let room = Promise.withResolvers<undefined>();
  const found = (): void => {
    room.resolve(undefined);
    room = Promise.withResolvers();
  };
  const body = new StreamBody(reply, { pings, onDrain: found, onOver: found });
  body.open(frameOf(answer.value));
  try {
    for await (const next of answers) {
      if (isOver(reply)) break;
      if (!body.write(frameOf(next))) await room.promise;
    }
  } catch (error) {
    body.write(frameOf(fault(error)));
  }
  if (!isOver(reply)) body.end('');
  return reply;
}

function frameOf(answer: unknown): string {
  return `data: ${JSON.stringify(answer)}\n\n`;
}
