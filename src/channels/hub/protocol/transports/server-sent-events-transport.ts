import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { HubConnection } from '../connection/hub-connection.ts';
import type { OnceOver } from '../hub-options.ts';
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
  // The headers that hooks have set, such as those of CORS. They are in Fastify's reply, and the raw response does not know them.
  const set = reply.getHeaders() as OutgoingHttpHeaders; // the same names and values, in Node's words
  const response = reply.raw;
  response.writeHead(200, { ...set, ...streamHeaders });
  // Firefox reports an open stream only when data has come.
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
      // Node would never end an answer that waits behind another one of its socket, and its client would wait for ever.
      if (response.socket === null && !response.writableFinished) reply.request.raw.socket.destroy();
      else response.destroy();
    },
  };
}

/**
 * Tells the connection when its stream has ended. The client may have closed the stream or the line may have broken; the server cannot tell
 * which.
 */
export function connectEventStream(reply: FastifyReply, connection: HubConnection, onceOver: OnceOver): void {
  reply.raw.on('error', () => {
    connection.transportEnding('dropped');
  });
  // The client may have left while the server checked who it is.
  onceOver(reply, () => {
    connection.transportClosed('dropped');
  });
}
