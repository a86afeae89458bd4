import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';

/** A client that sends bytes as they are, and keeps what it reads. */
export interface RawSocket {
  readonly socket: Socket;
  send(text: string): void;
  /** What was read so far. */
  readonly read: () => string;
  /** The status of each answer so far. */
  readonly statuses: () => readonly number[];
  /** Resolves once so many answers have begun. */
  answered(count: number): Promise<void>;
  /** Resolves when the server has let go of the connection. */
  readonly closed: Promise<void>;
}

/** Connects to the host of `url`. It does not close its side when the server does. Ends with the test. */
export async function openRawSocket(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), allowHalfOpen: true });
  onTestFinished(() => {
    socket.destroy();
  });
  // A connection that is cut is what some tests wait for.
  socket.on('error', () => undefined);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
  socket.once('end', () => {
    // Only a server that has let go of the socket refuses what is sent to it now.
    const probe = setInterval(() => socket.write('\r\n'), 20);
    void closed.then(() => {
      clearInterval(probe);
    });
  });
  await once(socket, 'connect');
  const statuses = (): readonly number[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    read: () => text,
    statuses,
    answered: (count) =>
      expect.poll(() => statuses().length, { interval: 5, timeout: 10_000 }).toBeGreaterThanOrEqual(count),
    closed,
  };
}

/** A request as text; `body` is announced with its length. */
export function requestText(ask: string, headers: Readonly<Record<string, string>> = {}, body?: string): string {
  const all = {
    Host: 'localhost',
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${ask} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}
