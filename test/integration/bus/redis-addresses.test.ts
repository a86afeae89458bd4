import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CarriedBus } from '../../../src/adapters/bus/carried-bus.ts';
import type { RedisAddress } from '../../../src/adapters/bus/redis/redis-address.ts';
import { hasRedis, RedisServer } from '../../support/databases/redis.ts';
import {
  expectJoined,
  folderOfTest,
  openedBus,
  serverOfTest,
  tlsServer,
  trustCertificate,
} from '../../support/bus/addressed-buses.ts';
import { busOptions } from '../../support/bus/opened-buses.ts';
import { freePort } from '../../support/free-port.ts';

describe.skipIf(!hasRedis)('the address of Redis', () => {
  it('has a user, a password and a database', async () => {
    const port = await freePort();
    await serverOfTest(['--port', String(port), '--requirepass', 'p@ss']);
    const url = `redis://default:p%40ss@127.0.0.1:${String(port)}/2`;
    await expectJoined([
      { kind: 'server', url },
      { kind: 'server', url },
    ]);
    const options = busOptions();
    const stranger = await openedBus(
      { kind: 'server', url: `redis://default:secret@127.0.0.1:${String(port)}` },
      options,
    );
    expect(stranger.isUp).toBe(false);
    expect(JSON.stringify(options.log.lines)).toContain('WRONGPASS');
    expect(JSON.stringify(options.log.lines)).not.toContain('secret');
  });

  it('may need TLS, with a certificate that this machine trusts', async () => {
    const { port } = await tlsServer();
    const url = `rediss://localhost:${String(port)}`;
    const options = busOptions();
    const distrusting = await openedBus({ kind: 'server', url }, options);
    expect(distrusting.isUp).toBe(false);
    expect(JSON.stringify(options.log.lines)).toContain('self-signed certificate');
    trustCertificate();
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
      });
    }
    // A node that knows another one takes no epoch any more.
    for (const { server } of nodes) {
      await server.use(async (client) => {
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
      { interval: 100 },
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
        .poll(async () => [await ask(bus, otherBus), await ask(otherBus, bus)], { interval: 10 })
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
    await vi.waitUntil(async () => (await known()).includes(String(replicaPort)), { interval: 100 });
    const address: RedisAddress = {
      kind: 'sentinel',
      name: 'desk',
      addresses: [`redis://127.0.0.1:${String(sentinelPort)}`],
      url: null,
    };
    const [one, other] = await expectJoined([address, address]);
    await first.kill();
    await vi.waitUntil(() => !one.isUp && !other.isUp, { interval: 10 });
    await vi.waitUntil(() => one.isUp && other.isUp, { interval: 10 });
    expect(await one.ask({ replica: other.replica, kind: 'same', body: 1 })).toBe(1);
  });
});
