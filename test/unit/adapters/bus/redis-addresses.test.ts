import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CarriedBus } from '../../../../src/adapters/bus/carried-bus.ts';
import { openRedisBus } from '../../../../src/adapters/bus/open-bus.ts';
import type { RedisAddress } from '../../../../src/adapters/bus/redis/redis-address.ts';
import { hasRedis, RedisServer } from '../../../support/databases/redis.ts';
import { at, busOptions } from '../../../support/bus/opened-buses.ts';
import { certificate, key } from '../../config/certificates.ts';
import { freePort } from '../../../support/free-port.ts';

async function serverOfTest(settings: readonly string[]): Promise<RedisServer> {
  const server = await RedisServer.start(settings);
  onTestFinished(() => server.close());
  return server;
}

/** A bus of this address. It need not be up. */
async function opened(address: RedisAddress, options = busOptions()): Promise<CarriedBus> {
  const bus = await openRedisBus({ address, prefix: 'h' }, options);
  onTestFinished(() => bus.close());
  return bus;
}

/** Expects that two buses of these addresses reach each other in all ways. */
async function expectJoined(
  addresses: readonly [RedisAddress, RedisAddress],
): Promise<readonly [CarriedBus, CarriedBus]> {
  const buses = await Promise.all(addresses.map((address) => opened(address)));
  const [one, other] = [at(buses, 0), at(buses, 1)];
  await vi.waitUntil(() => one.isUp && other.isUp, { timeout: 5_000 });
  const heard: unknown[] = [];
  other.onTold('news', (body) => heard.push(body));
  for (const bus of buses) bus.answer('same', async (body) => body);
  for (const body of ['small', 'x'.repeat(100_000)]) {
    expect(await one.ask({ replica: other.replica, kind: 'same', body })).toBe(body);
    expect(await other.ask({ replica: one.replica, kind: 'same', body })).toBe(body);
  }
  await one.tell('news', 1);
  await expect.poll(() => heard).toEqual([1]);
  expect(await one.own('name', 60_000)).toBe(true);
  expect(await other.own('name', 60_000)).toBe(false);
  expect(await other.count('key', 60_000, 1)).toMatchObject({ isWithin: true });
  expect(await one.count('key', 60_000, 1)).toMatchObject({ isWithin: false });
  return [one, other];
}

async function folderOfTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-addresses-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A Redis with TLS and a certificate for localhost. */
async function tlsServer(): Promise<{ readonly port: number }> {
  const folder = await folderOfTest();
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  writeFileSync(keyFile, key);
  writeFileSync(certificateFile, certificate);
  const port = await freePort();
  const files = ['--tls-cert-file', certificateFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', certificateFile];
  await serverOfTest(['--tls-port', String(port), ...files, '--tls-auth-clients', 'no']);
  return { port };
}

describe.skipIf(!hasRedis)('the address of Redis', { timeout: 40_000 }, () => {
  it('has a user, a password and a database', async () => {
    const port = await freePort();
    await serverOfTest(['--port', String(port), '--requirepass', 'p@ss']);
    const url = `redis://default:p%40ss@127.0.0.1:${String(port)}/2`;
    await expectJoined([
      { kind: 'server', url },
      { kind: 'server', url },
    ]);
    const options = busOptions();
    const stranger = await opened({ kind: 'server', url: `redis://default:secret@127.0.0.1:${String(port)}` }, options);
    expect(stranger.isUp).toBe(false);
    expect(JSON.stringify(options.log.lines)).toContain('WRONGPASS');
    expect(JSON.stringify(options.log.lines)).not.toContain('secret');
  });

  it('may need TLS, with a certificate that this machine trusts', async () => {
    const { port } = await tlsServer();
    const url = `rediss://localhost:${String(port)}`;
    const options = busOptions();
    const distrusting = await opened({ kind: 'server', url }, options);
    expect(distrusting.isUp).toBe(false);
    expect(JSON.stringify(options.log.lines)).toContain('self-signed certificate');
    const trusted = getCACertificates('default');
    onTestFinished(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([...trusted, certificate]);
    const address = { kind: 'server', url } as const;
    await expectJoined([address, address]);
  });

  it('may be that of any node of a Redis Cluster', async () => {
    const nodes = await Promise.all(
      [0, 1].map(async () => {
        const [port, clusterPort] = [await freePort(), await freePort()];
        const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(clusterPort), '--bind', '127.0.0.1'];
        return { port, clusterPort, server: await serverOfTest(['--port', String(port), ...cluster]) };
      }),
    );
    for (const [index, { server }] of nodes.entries()) {
      await server.use(async (client) => {
        await client.call('CLUSTER', 'ADDSLOTSRANGE', ...(index === 0 ? [0, 8_191] : [8_192, 16_383]));
        await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
        for (const { port, clusterPort } of nodes) await client.call('CLUSTER', 'MEET', '127.0.0.1', port, clusterPort);
      });
    }
    const states = (): Promise<string[]> =>
      Promise.all(
        nodes.map(({ server }) => server.use(async (client) => String(await client.call('CLUSTER', 'INFO')))),
      );
    await vi.waitUntil(
      async () =>
        (await states()).every((state) => state.includes('cluster_state:ok') && state.includes('known_nodes:2')),
      { timeout: 15_000, interval: 100 },
    );
    const [one, other] = nodes.map(({ port }): RedisAddress => ({
      kind: 'cluster',
      addresses: [`redis://127.0.0.1:${String(port)}`],
    }));
    if (one === undefined || other === undefined) throw new Error('there are two nodes');
    const [bus, otherBus] = await expectJoined([one, other]);
    for (const { server } of nodes) {
      await server.kill();
      await server.run();
      const ask = (from: CarriedBus, to: CarriedBus): Promise<unknown> =>
        from.ask({ replica: to.replica, kind: 'same', body: 1 }).catch(String);
      await expect
        .poll(async () => [await ask(bus, otherBus), await ask(otherBus, bus)], { timeout: 15_000, interval: 10 })
        .toEqual([1, 1]);
    }
  });

  it('may be asked of Sentinels, also after the first server is gone', async () => {
    const [port, replicaPort, sentinelPort] = [await freePort(), await freePort(), await freePort()];
    const bind = ['--bind', '127.0.0.1'];
    const first = await serverOfTest(['--port', String(port), ...bind]);
    await serverOfTest(['--port', String(replicaPort), ...bind, '--replicaof', '127.0.0.1', String(port)]);
    const file = join(await folderOfTest(), 'sentinel.conf');
    const lines = [
      `sentinel monitor desk 127.0.0.1 ${String(port)} 1`,
      'sentinel down-after-milliseconds desk 500',
      'sentinel failover-timeout desk 2000',
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const sentinel = await RedisServer.startSentinel(file, sentinelPort);
    onTestFinished(() => sentinel.close());
    const known = (): Promise<string> =>
      sentinel.use(async (client) => JSON.stringify(await client.call('SENTINEL', 'REPLICAS', 'desk')));
    await vi.waitUntil(async () => (await known()).includes(String(replicaPort)), { timeout: 15_000, interval: 100 });
    const address: RedisAddress = {
      kind: 'sentinel',
      name: 'desk',
      addresses: [`redis://127.0.0.1:${String(sentinelPort)}`],
      url: null,
    };
    const [one, other] = await expectJoined([address, address]);
    await first.kill();
    await vi.waitUntil(() => !one.isUp && !other.isUp, { timeout: 3_000, interval: 10 });
    await vi.waitUntil(() => one.isUp && other.isUp, { timeout: 20_000, interval: 10 });
    expect(await one.ask({ replica: other.replica, kind: 'same', body: 1 })).toBe(1);
  });
});
