import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type RedisAddress, redisClient } from '../../../src/adapters/bus/redis/redis-address.ts';
import {
  expectJoined,
  folderOfTest,
  openedBus,
  tlsFiles,
  tlsServer,
  trustCertificate,
} from '../../support/bus/addressed-buses.ts';
import { busOptions } from '../../support/bus/opened-buses.ts';
import { hasRedis, RedisServer } from '../../support/databases/redis.ts';
import { freePort } from '../../support/free-port.ts';

/** A port in front of another one. It notes what clients send, as anybody on their way could. */
async function tapped(port: number): Promise<{ readonly port: number; readonly heard: string[] }> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const behind = connect(port, 'localhost');
    for (const socket of [client, behind]) sockets.add(socket.on('error', () => client.destroy()));
    client.on('data', (data) => heard.push(data.toString('latin1')));
    client.pipe(behind).pipe(client);
  });
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(server.listen(0), 'listening');
  const { port: tap } = server.address() as AddressInfo; // it listens on TCP
  return { port: tap, heard };
}

/** A Sentinel that names this server, and is itself spoken to in the clear or with TLS. */
async function sentinelOf(server: { readonly host: string; readonly port: number }, scheme: string): Promise<number> {
  const file = join(await folderOfTest(), 'sentinel.conf');
  const [port, tlsPort] = [await freePort(), await freePort()];
  const lines = [
    ...(await tlsFiles()).map((line) => line.join(' ')),
    ...['tls-replication yes', `tls-port ${String(tlsPort)}`],
    ...['sentinel resolve-hostnames yes', 'sentinel announce-hostnames yes'],
    `sentinel monitor desk ${server.host} ${String(server.port)} 1`,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  const sentinel = await RedisServer.startSentinel(file, port);
  onTestFinished(() => sentinel.close());
  return scheme === 'rediss' ? tlsPort : port;
}

const sentinelAt = (addresses: readonly string[], url: string | null): RedisAddress => ({
  ...{ kind: 'sentinel', name: 'desk' },
  ...{ addresses, url },
});

/** The TLS record in which a client says hello. */
const hello = '\u0016';

describe.skipIf(!hasRedis)('TLS to Redis (contract/replicas.md#settings)', () => {
  // proves configuration-5-96
  it.each(['redis', 'rediss'])(
    'is that of url for the servers behind Sentinels of %s, and no password is sent in the clear',
    async (scheme) => {
      trustCertificate();
      const { port } = await tlsServer(['--requirepass', 'secret']);
      const tap = await tapped(port);
      const sentinel = await sentinelOf({ host: 'localhost', port: tap.port }, scheme);
      const url = 'rediss://default:secret@nobody.invalid';
      const address = sentinelAt([`${scheme}://localhost:${String(sentinel)}`], url);
      await openedBus(address);
      await vi.waitUntil(() => tap.heard.length > 0);
      expect(tap.heard.filter((text) => text.includes('secret'))).toEqual([]);
      await expectJoined([address, address]);
      expect(tap.heard.filter((text) => text.includes('secret'))).toEqual([]);
      expect(tap.heard[0]?.startsWith(hello)).toBe(true);
    },
  );

  // proves configuration-5-96
  it('is that of their addresses for Sentinels alone, each of which is known by a name of the list', async () => {
    trustCertificate();
    const port = await freePort();
    const server = await RedisServer.start(['--port', String(port)]);
    onTestFinished(() => server.close());
    const sentinel = await sentinelOf({ host: 'localhost', port }, 'rediss');
    const addresses = ['rediss://nobody.invalid:1', `rediss://localhost:${String(sentinel)}`];
    const address = sentinelAt(addresses, `redis://localhost`);
    await expectJoined([address, address]);
  });

  // proves configuration-5-96
  it('holds a server to the host that Sentinels name', async () => {
    trustCertificate();
    const { port } = await tlsServer();
    const sentinel = await sentinelOf({ host: '127.0.0.1', port }, 'redis');
    const options = busOptions();
    const address = sentinelAt([`redis://localhost:${String(sentinel)}`], 'rediss://localhost');
    const bus = await openedBus(address, options);
    await expect.poll(() => JSON.stringify(options.log.lines)).toContain("IP: 127.0.0.1 is not in the cert's list");
    expect(bus.isUp).toBe(false);
  });

  // proves configuration-5-96
  it('may be ended at any moment of its beginning: a certificate that is refused ends no process', async () => {
    const { port, server } = await tlsServer();
    const faults: unknown[] = [];
    const uncaught = (error: unknown): void => void faults.push(error);
    process.on('uncaughtException', uncaught);
    onTestFinished(() => void process.off('uncaughtException', uncaught));
    const endedAfter = async (ms: number): Promise<void> => {
      const client = redisClient({ kind: 'server', url: `rediss://localhost:${String(port)}` });
      client.on('error', () => undefined);
      client.connect().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, ms));
      client.disconnect();
      // Redis answers one after the other, so it has seen the end by then.
      await server.use((other) => other.ping());
    };
    for (let round = 0; round < 5; round += 1)
      await Promise.all(Array.from({ length: 20 }, (_one, index) => endedAfter(index * 3)));
    expect(faults).toEqual([]);
  });

  // proves configuration-5-96
  it.each([
    ['its host', 'localhost', ['nobody.invalid:1', 'localhost']],
    ['a name of the list where it says its address', '127.0.0.1', ['localhost']],
  ])('holds a node of a Redis Cluster to %s', async (_title, announced, hosts) => {
    trustCertificate();
    const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort()), '--tls-cluster', 'yes'];
    const names =
      announced === 'localhost'
        ? ['--cluster-announce-hostname', announced, '--cluster-preferred-endpoint-type', 'hostname']
        : ['--cluster-announce-ip', announced];
    const { port, server } = await tlsServer([...cluster, ...names]);
    await server.use(async (client) => {
      await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
      await vi.waitUntil(async () => String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'));
    });
    const addresses = hosts.map((host) => `rediss://${host.includes(':') ? host : `${host}:${String(port)}`}`);
    const address = { kind: 'cluster', addresses } as const;
    await expectJoined([address, address]);
    const options = busOptions();
    const stranger = await openedBus({ kind: 'cluster', addresses: [`rediss://127.0.0.1:${String(port)}`] }, options);
    expect(stranger.isUp).toBe(false);
  });
});
