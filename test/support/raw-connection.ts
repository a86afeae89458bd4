import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A client that sends bytes unchanged and keeps everything it reads. */
export interface RawConnection {
  readonly socket: Socket;
  send(bytes: string | Uint8Array): void;
  /** Everything that was read so far. */
  readonly read: () => string;
  /** The status of each answer so far. */
  readonly statuses: () => readonly number[];
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
}

/**
 * Connects to the host of `url`. The client does not close its side of the connection when the server closes its own. The caller must
 * destroy the socket.
 */
export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), allowHalfOpen: true });
  // Some tests wait for a connection to be cut.
  socket.on('error', () => undefined);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
  socket.once('end', () => {
    // Only a server that has closed the socket refuses further data.
    const probe = setInterval(() => socket.write('\r\n'), 20);
    void closed.then(() => {
      clearInterval(probe);
    });
  });
  await Promise.race([once(socket, 'connect'), closed]);
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    read: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code)),
    closed,
  };
}

/** A request as text. The length of `body` is announced. */
export function requestText(ask: string, headers: Readonly<Record<string, string>> = {}, body?: string): string {
  const all = {
    Host: 'localhost',
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${ask} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
