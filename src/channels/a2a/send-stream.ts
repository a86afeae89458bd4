import type { OutgoingHttpHeaders } from 'node:http';
import { JsonRpcTransportHandler } from '@a2a-js/sdk/server';
import type { FastifyReply } from 'fastify';
import type { PingClock } from '../shared/ping-clock.ts';
import { StreamBody } from '../shared/stream-body.ts';
import { streamHeaders } from '../shared/stream-headers.ts';

/** Milliseconds that a client may leave its buffer full before its stream is closed. */
const stallTimeoutMs = 60_000;

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
  const { raw } = reply;
  const hasGone = (): boolean => raw.destroyed;
  if (hasGone()) return reply.hijack();
  // The headers that CORS has set are in Fastify's reply. The raw response does not know them.
  const set = reply.getHeaders() as OutgoingHttpHeaders; // the same names and values, in Node's words
  reply.hijack();
  raw.writeHead(200, { ...set, ...streamHeaders });
  const body = new StreamBody(raw);
  const stopPings = pings.add(body);
  raw.once('close', stopPings);
  const room = roomOf(reply);
  body.open(frameOf(answer.value));
  try {
    for await (const next of answers) {
      if (hasGone()) break;
      if (!body.write(frameOf(next), room.found)) await room.next();
    }
  } catch (error) {
    body.write(frameOf(fault(error)), room.found);
  }
  stopPings();
  if (!hasGone()) body.end('');
  return reply;
}

function frameOf(answer: unknown): string {
  return `data: ${JSON.stringify(answer)}\n\n`;
}

/** Waits for room in the buffer of the client, and gives a client up that does not read. */
function roomOf({ raw }: FastifyReply): { readonly found: () => void; readonly next: () => Promise<void> } {
  let waiting = Promise.withResolvers<undefined>();
  const found = (): void => {
    waiting.resolve(undefined);
    waiting = Promise.withResolvers();
  };
  raw.once('close', found);
  return {
    found,
    next: async () => {
      const stalled = setTimeout(() => raw.destroy(), stallTimeoutMs);
      await waiting.promise;
      clearTimeout(stalled);
    },
  };
}
