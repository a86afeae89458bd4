import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CuttingProxy {
  readonly url: string;
  /** Cuts every connection without a close, as a network failure does. */
  cut(): void;
  /** The number of connections that the browser has made so far. */
  connections(): number;
  /** While true, new connections are cut at once. */
  isDown: boolean;
}

/** A proxy between browser and server that can break the line. */
export async function cuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let connections = 0;
  const proxy = {
    isDown: false,
    connections: () => connections,
    cut(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
  const server = createServer((client) => {
    connections += 1;
    if (proxy.isDown) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.cut();
    server.close();
  });
  const address = server.address() as AddressInfo; // it listens on TCP
  return Object.assign(proxy, { url: `http://127.0.0.1:${String(address.port)}` });
}
