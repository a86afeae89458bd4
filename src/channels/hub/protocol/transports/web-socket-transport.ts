import type { EventEmitter } from 'node:events';
import type { WebSocket } from '@fastify/websocket';
import type { Ending } from '../connection/ending.ts';
import type { HubConnection } from '../connection/hub-connection.ts';
import type { HubTransport } from '../hub-transport.ts';

const messageTooBig = 1009;
const noCode = 1005;

/** A WebSocket as a hub transport: frames of whole records. */
export function webSocketTransport(socket: WebSocket): HubTransport {
  const close = socket.close.bind(socket);
  let isBinary = false;
  return {
    name: 'WebSockets',
    useBinary: () => {
      isBinary = true;
    },
    send: (records) => {
      socket.send(isBinary ? Buffer.from(records, 'latin1') : records);
    },
    get bufferedBytes() {
      return socket.bufferedAmount;
    },
    close: () => {
      close(1000);
    },
    terminate: () => {
      socket.terminate();
    },
  };
}

/**
 * Passes the data of a socket to its connection, until the connection has a newer socket. Call it once, after `webSocketTransport`. `line`
 * is the TCP or TLS socket below.
 */
export function connectWebSocket(
  socket: WebSocket,
  transport: HubTransport,
  { connection, line }: { readonly connection: HubConnection; readonly line: EventEmitter },
): void {
  const current = (): HubConnection | undefined => (connection.transport === transport ? connection : undefined);
  // `ws` gives frames when they are whole, and holds them until then. Its own listener comes second.
  line.prependListener('data', (chunk: Buffer) => {
    current()?.arriving(chunk.length);
  });
  socket.on('message', (data) => {
    // Guaranteed by ws: with its default `binaryType` a message is always one Buffer.
    if (Buffer.isBuffer(data)) current()?.receive(data);
  });
  socket.on('error', () => {
    current()?.transportEnding('dropped');
  });
  socket.on('close', (code) => {
    current()?.transportClosed(endingOf(code));
  });
  noticeClose(socket, current);
}

/**
 * Notices when `ws` calls the socket's own `close`, which it does after a client's close frame or a frame over `maxPayload`. The turn then
 * ends at once and does not wait until the client closes its socket. The client also learns which limit it has hit. A client's close
 * without a code is answered with 1000 and not with 1005, as other SignalR servers do.
 */
function noticeClose(socket: WebSocket, current: () => HubConnection | undefined): void {
  const close = socket.close.bind(socket);
  socket.close = (code, data) => {
    if (code === messageTooBig) current()?.refuseTooLarge();
    else current()?.transportEnding(endingOf(code ?? noCode));
    close(code ?? 1000, data);
  };
}

/**
 * How the connection ended, by the code of the WebSocket close. A page that is left or reloaded (1001) counts as dropped, because the next
 * page continues its conversation.
 */
function endingOf(code: number): Ending {
  return code === 1000 || code === noCode ? 'graceful' : 'dropped';
}
