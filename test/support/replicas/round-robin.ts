import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** Where one request went. */
export interface Balanced {
  readonly method: string;
  /** Without a query. */
  readonly path: string;
  /** The index of the server. */
  readonly to: number;
}

/** A balancer that knows nothing of what it balances. */
export interface RoundRobin {
  readonly url: string;
  /** All requests so far, upgrades included, in their order. */
  readonly sent: readonly Balanced[];
  /** The next requests go to these servers, and then it goes on as before. */
  readonly direct: (...servers: readonly number[]) => void;
  /** The server with this index is at another address now. */
  readonly move: (index: number, url: string) => void;
  /** Cuts every connection without a close, as a network failure does. */
  readonly cut: () => void;
}

/**
 * Sends each request to the next server, whoever its client is and whatever its connection. A server that does not take connections is passed
 * over. It ends with the test.
 */
export async function roundRobin(
  first: readonly string[],
  atEnd: (end: () => void) => void = onTestFinished,
): Promise<RoundRobin> {
  const servers = [...first];
  const sent: Balanced[] = [];
  const directed: number[] = [];
  const sockets = new Set<Socket>();
  let next = 0;

  async function take(request: IncomingMessage): Promise<Socket | undefined> {
    for (let tries = 0; tries < servers.length; tries += 1) {
      const to = directed.shift() ?? next++ % servers.length;
      const { hostname, port } = new URL(servers[to] ?? '');
      const socket = connect(Number(port), hostname);
      try {
        await once(socket, 'connect');
      } catch {
        continue;
      }
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      sent.push({ method: request.method ?? '', path: (request.url ?? '').split('?', 1)[0] ?? '', to });
      return socket;
    }
    return undefined;
  }

  const server = createServer((request, response) => void pass(request, response));
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const socket = await take(request);
    if (socket === undefined) {
      response.writeHead(502).end();
      return;
    }
    const { method, url, headers } = request;
    const passed = httpRequest({
      createConnection: () => socket,
      method,
      path: url,
      headers: { ...headers, connection: 'close' },
    });
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    passed.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.once('close', () => passed.destroy());
    request.pipe(passed);
  }

  server.on('upgrade', (request: IncomingMessage, client: Socket, head: Buffer) => {
    sockets.add(client);
    client.once('close', () => sockets.delete(client));
    client.on('error', () => undefined);
    void take(request).then((socket) => {
      if (socket === undefined) {
        client.destroy();
        return;
      }
      const lines: string[] = [];
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        lines.push(`${request.rawHeaders[at] ?? ''}: ${request.rawHeaders[at + 1] ?? ''}\r\n`);
      socket.write(`GET ${request.url ?? ''} HTTP/1.1\r\n${lines.join('')}\r\n`);
      socket.write(head);
      socket.on('error', () => undefined);
      socket.on('close', () => client.destroy());
      client.on('close', () => socket.destroy());
      client.pipe(socket).pipe(client);
    });
  });

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const move = (index: number, url: string): void => {
    servers[index] = url;
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  atEnd(() => {
    cut();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${String(port)}`,
    sent,
    direct: (...given) => void directed.push(...given),
    move,
    cut,
  };
}
