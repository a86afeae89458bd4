import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A socket in front of PostgreSQL, which can end connections as they open, and say other things than PostgreSQL does. */
export interface EndingProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** While true, new connections are ended in the same piece of data in which the server says that it is ready. */
  endsNew: boolean;
  /** The number of connections that were ended so. */
  ended: number;
  /** While it is set, this is said in place of all that the server says on connections that are open. */
  instead: Buffer | undefined;
  /** The answer to the next change that contains these texts is lost with its connection, once PostgreSQL has made the change. */
  losesAnswerTo: readonly string[] | undefined;
  /** How many answers were lost so. */
  lost: number;
  /** Says this to all clients, as if it came from the server. */
  readonly say: (bytes: Buffer) => void;
  /** How many connections are open. */
  readonly connections: () => number;
  /** Cuts all connections. */
  readonly cut: () => void;
}

/** The message of PostgreSQL that a connection can be used. */
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** What `pg_terminate_backend` makes the server say before it closes. */
const terminated = messageOf(
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0Fpostgres.c\0\0',
);

function messageOf(fields: string): Buffer {
  const message = Buffer.alloc(5 + fields.length);
  message.write('E');
  message.writeInt32BE(4 + fields.length, 1);
  message.write(fields, 5);
  return message;
}

/** The proxy ends with the test. */
export async function endingProxy(address: string): Promise<EndingProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'ending-'));
  await chmod(folder, 0o755);
  const [database = '', query] = address.split('?');
  const target = `${new URLSearchParams(query).get('host') ?? ''}/.s.PGSQL.5432`;
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy: EndingProxy = {
    ...{ url: `${database}?host=${encodeURIComponent(folder)}`, endsNew: false, ended: 0, instead: undefined },
    ...{ losesAnswerTo: undefined, lost: 0, cut },
    say: (bytes) => {
      for (const client of clients) client.write(bytes);
    },
    connections: () => clients.size,
  };
  const server = createServer((client) => {
    const upstream = connect(target);
    clients.add(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        clients.delete(client);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    let isOpen = false;
    let isLosing = false;
    client.on('data', (data) => {
      if (proxy.losesAnswerTo?.every((text) => data.includes(text)) !== true) return;
      proxy.losesAnswerTo = undefined;
      isLosing = true;
    });
    upstream.on('data', (data) => {
      if (isOpen && proxy.instead !== undefined) {
        client.write(proxy.instead);
        return;
      }
      if (isLosing && data.subarray(-ready.length).equals(ready)) {
        proxy.lost += 1;
        client.destroy();
        return;
      }
      const opens = !isOpen && data.subarray(-ready.length).equals(ready);
      isOpen ||= opens;
      if (!opens || !proxy.endsNew) {
        client.write(data);
        return;
      }
      proxy.ended += 1;
      client.end(Buffer.concat([data, terminated]));
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve));
  onTestFinished(async () => {
    cut();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  return proxy;
}
