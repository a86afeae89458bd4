import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net, { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CarriedBus } from '../../../src/adapters/bus/carried-bus.ts';
import { openRedisBus } from '../../../src/adapters/bus/open-bus.ts';
import { hasRedis, RedisServer } from '../../support/databases/redis.ts';
import { at, busOptions, redisBuses } from '../../support/bus/opened-buses.ts';

async function serverOfTest(settings: readonly string[] = []): Promise<RedisServer> {
  const server = await RedisServer.start(settings);
  onTestFinished(() => server.close());
  return server;
}

/** Asks once, and gives the name of the fault, or `answered`. */
function outcome(asking: CarriedBus, asked: CarriedBus): Promise<string> {
  return asking.ask({ replica: asked.replica, kind: 'same', body: 1 }).then(
    () => 'answered',
    (error: unknown) => (error instanceof Error ? error.name : ''),
  );
}

/** Expects that a call is refused before anything is sent. */
async function expectRefused(asking: CarriedBus, asked: CarriedBus): Promise<void> {
  const call = asking.ask({ replica: asked.replica, kind: 'same', body: 1 });
  await expect(call).rejects.toMatchObject({ name: 'BusAway', message: 'the bus between the replicas is away' });
}

/** Two buses that answer each other. */
async function pair(server: RedisServer): Promise<readonly [CarriedBus, CarriedBus]> {
  const buses = await redisBuses(server, 2);
  for (const bus of buses) bus.answer('same', async (body) => body);
  expect(await outcome(at(buses, 0), at(buses, 1))).toBe('answered');
  return [at(buses, 0), at(buses, 1)];
}

/** Expects that both can be asked again. */
async function expectBack([one, other]: readonly [CarriedBus, CarriedBus]): Promise<void> {
  await vi.waitUntil(() => one.isUp && other.isUp, { interval: 10 });
  expect(await outcome(one, other)).toBe('answered');
  expect(await outcome(other, one)).toBe('answered');
}

/** A proxy before a socket. `swallow` makes it forward nothing more on the connections that are open, without closing them. */
async function swallowingProxy(target: string): Promise<{ readonly socket: string; swallow(): void }> {
  const folder = await mkdtemp(join(tmpdir(), 'swallowing-'));
  const socket = join(folder, 'proxy.sock');
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(target);
    for (const end of [client, upstream]) {
      open.add(end);
      end.on('error', () => undefined);
    }
    client.pipe(upstream).pipe(client);
  });
  proxy.listen(socket);
  await once(proxy, 'listening');
  onTestFinished(async () => {
    for (const end of open) end.destroy();
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  });
  const swallow = (): void => {
    for (const end of open) end.unpipe().pause();
  };
  return { socket, swallow };
}

describe.skipIf(!hasRedis)('the bus over Redis', () => {
  it('rejects within 2 s when Redis is killed under many calls, and is back by itself with the next Redis', async () => {
    const server = await serverOfTest();
    const buses = await pair(server);
    expect(await buses[0].own('connection', 60_000)).toBe(true);
    const asked = Array.from({ length: 100 }, () => outcome(...buses));
    await server.kill();
    for (const each of await Promise.all(asked)) expect(['answered', 'BusAway']).toContain(each);
    await vi.waitUntil(() => !buses[0].isUp && !buses[1].isUp, { interval: 10 });
    await expectRefused(...buses);
    await expect(buses[0].count('key', 1_000, 5)).rejects.toMatchObject({ name: 'BusAway' });
    await expect(buses[0].tell('news', 1)).rejects.toMatchObject({ name: 'BusAway' });
    await server.run();
    await expectBack(buses);
    await expect.poll(() => buses[1].ownerOf('connection')).toBe(buses[0].replica);
  });

  it('rejects within 2 s while Redis stands still, later at once, and is back when it moves on; nothing of it is done later', async () => {
    const server = await serverOfTest();
    const buses = await pair(server);
    let done = 0;
    buses[1].answer('act', async () => (done += 1));
    const connecting = vi.spyOn(net, 'createConnection');
    onTestFinished(() => connecting.mockRestore());
    server.freeze();
    const asked = Array.from({ length: 20 }, () => buses[0].ask({ replica: buses[1].replica, kind: 'act', body: 1 }));
    const outcomes = await Promise.allSettled(asked);
    for (const each of outcomes) expect(each).toMatchObject({ status: 'rejected', reason: { name: 'BusAway' } });
    await vi.waitUntil(() => !buses[0].isUp, { interval: 10 });
    await expectRefused(...buses);
    // Both connections of both are made anew, to a Redis that still stands.
    await vi.waitUntil(() => connecting.mock.calls.length >= 4, { interval: 10 });
    server.thaw();
    await expectBack(buses);
    expect(done).toBe(0);
  });

  it('calls no living replica gone after Redis has lost everything, and shows it and its names again', async () => {
    const server = await serverOfTest();
    const buses = await pair(server);
    await buses[0].own('connection', 60_000);
    await server.flush();
    for (let time = 0; time < 20; time += 1) expect(await outcome(...buses)).toBe('answered');
    const nodes = (): Promise<string[]> => server.use((client) => client.keys('h:{v1}:node:*'));
    await expect.poll(async () => (await nodes()).length).toBe(2);
    await expect.poll(() => buses[1].ownerOf('connection')).toBe(buses[0].replica);
    for (let time = 0; time < 20; time += 1) expect(await outcome(...buses)).toBe('answered');
  });

  it('tells its listeners when it goes and comes back', async () => {
    const server = await serverOfTest();
    const [bus] = await pair(server);
    const told: boolean[] = [];
    const stop = bus.onChange((isUp) => told.push(isUp));
    await server.kill();
    await expect.poll(() => told).toEqual([false]);
    await server.run();
    await expect.poll(() => told).toEqual([false, true]);
    stop();
    await server.kill();
    await vi.waitUntil(() => !bus.isUp, { interval: 10 });
    expect(told).toEqual([false, true]);
  });

  it('opens without Redis, and joins when it comes', async () => {
    const server = await serverOfTest();
    await server.kill();
    const options = busOptions();
    const bus = await openRedisBus({ address: { kind: 'server', url: server.url() }, prefix: 'h' }, options);
    onTestFinished(() => bus.close());
    expect(bus.isUp).toBe(false);
    expect(options.log.lines.map(({ level }) => level)).toEqual(['warn']);
    await server.run();
    await vi.waitUntil(() => bus.isUp, { interval: 10 });
    expect(options.log.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('notices that only its subscription is dead, and makes it anew', async () => {
    const server = await serverOfTest();
    const buses = await pair(server);
    await server.use(async (client) => {
      await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    });
    await vi.waitUntil(() => !buses[0].isUp || !buses[1].isUp, { interval: 1 });
    await expectBack(buses);
  });

  it('makes its connections anew when the network has swallowed them', async () => {
    const server = await serverOfTest();
    const proxy = await swallowingProxy(server.socket);
    const address = { kind: 'server', url: `redis+unix://localhost${proxy.socket}` } as const;
    const bus = await openRedisBus({ address, prefix: 'h' }, busOptions());
    onTestFinished(() => bus.close());
    const [other] = await redisBuses(server, 1);
    bus.answer('same', async (body) => body);
    expect(await outcome(other ?? bus, bus)).toBe('answered');
    proxy.swallow();
    expect(await outcome(bus, other ?? bus)).toBe('BusAway');
    await vi.waitUntil(() => !bus.isUp, { interval: 10 });
    await vi.waitUntil(() => bus.isUp, { interval: 10 });
    expect(await outcome(other ?? bus, bus)).toBe('answered');
  });

  it('needs a user of Redis with few rights only', async () => {
    const server = await serverOfTest();
    const commands = ['get', 'set', 'del', 'exists', 'incr', 'pexpire', 'pttl', 'time', 'eval', 'publish', 'subscribe'];
    await server.use((client) =>
      client.call(
        'ACL',
        'SETUSER',
        'helper',
        'reset',
        'on',
        '>p@ss/word',
        '~h:*',
        '&h:*',
        ...commands.map((name) => `+${name}`),
      ),
    );
    const address = { kind: 'server', url: server.url(`helper:${encodeURIComponent('p@ss/word')}`) } as const;
    const options = busOptions();
    const buses = await Promise.all([0, 1].map(() => openRedisBus({ address, prefix: 'h' }, options)));
    onTestFinished(async () => {
      await Promise.all(buses.map((bus) => bus.close()));
      const refused = await server.use((client) => client.call('ACL', 'LOG'));
      expect(refused).toEqual([]);
    });
    const [one, other] = [at(buses, 0), at(buses, 1)];
    expect([one.isUp, other.isUp]).toEqual([true, true]);
    const large = 'x'.repeat(100_000);
    other.answer('same', async (body) => body);
    other.offer('one', async function* () {
      yield large;
    });
    expect(await one.ask({ replica: other.replica, kind: 'same', body: large })).toBe(large);
    for await (const each of await one.follow({ replica: other.replica, kind: 'one', body: 1 }))
      expect(each).toBe(large);
    await one.tell('news', 1);
    expect(await one.own('name', 1_000)).toBe(true);
    expect(await other.ownerOf('name')).toBe(one.replica);
    await one.disown('name');
    expect(await one.count('key', 1_000, 1)).toMatchObject({ isWithin: true });
    expect(await other.count('key', 1_000, 1)).toMatchObject({ isWithin: false });
    const names = await server.use((client) => client.keys('*'));
    expect(names.every((name) => name.startsWith('h:{v1}:'))).toBe(true);
  });
});
