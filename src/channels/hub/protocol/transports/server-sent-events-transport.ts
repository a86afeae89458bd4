import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { HubConnection } from '../connection/hub-connection.ts';
import type { HubTransport } from '../hub-transport.ts';

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store',
  'content-encoding': 'identity',
  'x-accel-buffering': 'no',
} as const;

/** Answers with an event stream that carries a connection's records; what the client says comes by POST. */
export function serverSentEventsTransport(reply: FastifyReply): HubTransport {
  reply.hijack();
  // What hooks have set (CORS) lives in Fastify's reply, which the raw response knows nothing of.
  const set = reply.getHeaders() as OutgoingHttpHeaders; // the same names and values, in Node's words
  const response = reply.raw;
  response.writeHead(200, { ...set, ...streamHeaders });
  // Firefox takes a stream for open only once there is data.
  response.write(':\r\n');
  return {
    name: 'ServerSentEvents',
    // Records are JSON without line breaks, so any number of them is one `data` line.
    send: (records) => {
      response.write(`data: ${records}\r\n\r\n`);
    },
    get bufferedBytes() {
      return response.writableLength;
    },
    close: () => {
      response.end();
    },
    terminate: () => {
      response.destroy();
    },
  };
}

/** Tells the connection when its stream is gone: the client closed it, or the line broke; nobody can tell which. */
export function connectEventStream(response: ServerResponse, connection: HubConnection): void {
  response.on('error', () => {
    connection.transportEnding('dropped');
  });
  response.once('close', () => {
    connection.transportClosed('dropped');
  });
  // The client may have left while the server found out who the client is. No event of the response tells of it any
  // more.
  if (response.destroyed) connection.transportClosed('dropped');
}
