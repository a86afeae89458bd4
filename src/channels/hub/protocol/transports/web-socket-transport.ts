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
 * Leads what a socket brings to its connection, for as long as that has no newer one. Call it once, after
 * `webSocketTransport`. `line` is the TCP or TLS socket below.
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
 * `ws` calls the socket's own `close` when it has read a client's close frame or a frame over `maxPayload`. Noticing that
 * call ends a turn at once, instead of when the client lets go of its socket, and tells the client which limit it hit.
 * A client's close without a code is answered with 1000, as other SignalR servers do, not with 1005.
 */
function noticeClose(socket: WebSocket, current: () => HubConnection | undefined): void {
  const close = socket.close.bind(socket);
  socket.close = (code, data) => {
    if (code === messageTooBig) current()?.refuseTooLarge();
    else current()?.transportEnding(endingOf(code ?? noCode));
    close(code ?? 1000, data);
  };
}

/** A page that is left or reloaded (1001) is no goodbye: the next page takes its conversation up. */
function endingOf(code: number): Ending {
  return code === 1000 || code === noCode ? 'graceful' : 'dropped';
}
