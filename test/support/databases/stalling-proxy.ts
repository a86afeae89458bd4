import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PostgresStorage } from './postgres.ts';

/** A socket in front of the database, which can stop to pass anything on. Connections stay open, as where a network swallows packets. */
export interface StallingProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Nothing is passed on any more. */
  readonly stall: () => void;
  /** Nothing of the connections that are open is passed on any more. New ones are as before. */
  readonly swallow: () => void;
}

/** `parameters` are added to the address. The proxy ends with the test. */
export async function stallingProxy({ url }: PostgresStorage, parameters = ''): Promise<StallingProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'stalling-'));
  await chmod(folder, 0o755);
  const [address = '', query] = url.split('?');
  const target = `${new URLSearchParams(query).get('host') ?? ''}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    if (isStalled) return;
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const swallow = (): void => {
    for (const socket of sockets) {
      socket.unpipe();
      socket.pause();
    }
  };
  const stall = (): void => {
    isStalled = true;
    swallow();
  };
  return { url: `${address}?host=${encodeURIComponent(folder)}${parameters}`, stall, swallow };
}
