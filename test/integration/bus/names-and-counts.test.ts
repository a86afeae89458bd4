import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CarriedBus } from '../../../src/adapters/bus/carried-bus.ts';
import { busTimes } from '../../../src/adapters/bus/bus-limits.ts';
import { InProcessExchange } from '../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { HeldNames } from '../../../src/adapters/bus/names/held-names.ts';
import { newReplicaId } from '../../../src/adapters/bus/replica-id.ts';
import { hasRedis, redisOfFile } from '../../support/databases/redis.ts';
import { at, joinedBuses, redisBuses } from '../../support/bus/opened-buses.ts';

const redis = redisOfFile();
const times = { ...busTimes, keepMs: 100 };

let passed = 0;

type Open = (count: number) => Promise<CarriedBus[]>;
/** Lets this much of the time of these names pass. */
type Age = (names: readonly string[], milliseconds: number) => Promise<unknown>;

const carriers: readonly (readonly [string, Open, Age])[] = [
  [
    'in one process',
    (count) => joinedBuses(new InProcessExchange(() => performance.now() + passed), count, { times }),
    async (_names, milliseconds) => (passed += milliseconds),
  ],
  ...(hasRedis
    ? [
        [
          'over Redis',
          async (count: number) => redisBuses(await redis(), count, { times }),
          async (aged: readonly string[], milliseconds: number) =>
            (await redis()).use(async (client) => {
              for (const key of aged.map((name) => `h:{v1}:own:${name}`))
                await client.pexpire(key, (await client.pttl(key)) - milliseconds);
            }),
        ] as const,
      ]
    : []),
];

let names = 0;
const newName = (): string => `name ${String((names += 1))}`;

describe.each(carriers)('names that replicas own, %s', (_name, open, age) => {
  it('have one owner, whoever asks at the same moment', async () => {
    const buses = await open(3);
    for (let round = 0; round < 20; round += 1) {
      const name = newName();
      const owned = await Promise.all([...buses, ...buses].map((bus) => bus.own(name, 60_000)));
      expect(owned.filter(Boolean)).toHaveLength(1);
      const owner = buses[owned.indexOf(true) % 3]?.replica;
      for (const bus of buses) expect(await bus.ownerOf(name)).toBe(owner);
    }
  });

  it('are free for others once their owner lets go or closes, and not before', async () => {
    const buses = await open(2);
    const [one, other] = [at(buses, 0), at(buses, 1)];
    const name = newName();
    expect(await one.own(name, 60_000)).toBe(true);
    await other.disown(name);
    expect(await other.own(name, 60_000)).toBe(false);
    await one.disown(name);
    expect(await one.ownerOf(name)).toBeUndefined();
    expect(await other.own(name, 60_000)).toBe(true);
    await other.close();
    expect(await one.ownerOf(name)).toBeUndefined();
  });

  it('stay with their owner for longer than their time', async () => {
    const buses = await open(2);
    const [one, other] = [at(buses, 0), at(buses, 1)];
    const all = Array.from({ length: 1_200 }, newName);
    const owned = await Promise.all(all.map((name) => one.own(name, 600_000)));
    expect(owned.every(Boolean)).toBe(true);
    const kept = vi.spyOn(HeldNames.prototype, 'keep');
    onTestFinished(() => kept.mockRestore());
    const some = [0, 599, 1_199].map((index) => all[index] ?? '');
    for (let round = 1; round <= 2; round += 1) {
      await age(some, 400_000);
      kept.mockClear();
      await vi.waitUntil(() => new Set(kept.mock.contexts).size === buses.length);
      await Promise.all(kept.mock.results.map(({ value }) => value as Promise<void>));
    }
    for (const name of some) expect(await other.own(name, 600_000)).toBe(false);
  });
});

describe.each(carriers)('counters that replicas share, %s', (_name, open) => {
  it('let the first events of a window through, over all replicas, and the next window again', async () => {
    const buses = await open(3);
    const key = newName();
    // All 30 are counted in one window, also on a machine that is busy.
    const windowMs = 3_000;
    const counted = await Promise.all(
      Array.from({ length: 30 }, (_, index) => at(buses, index % 3).count(key, windowMs, 10)),
    );
    expect(counted.filter(({ isWithin }) => isWithin)).toHaveLength(10);
    for (const { leftMs } of counted) {
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(windowMs);
    }
    await expect.poll(async () => (await at(buses, 0).count(key, windowMs, 10)).isWithin, { interval: 50 }).toBe(true);
    expect(await at(buses, 1).count(newName(), windowMs, 0)).toMatchObject({ isWithin: false });
  });
});

describe('counters that replicas share', () => {
  it('say that the bus is away, so that each replica counts by itself', async () => {
    const exchange = new InProcessExchange();
    const [bus] = await joinedBuses(exchange, 1);
    exchange.cut();
    await expect(bus?.count('key', 500, 1)).rejects.toMatchObject({ name: 'BusAway' });
    exchange.mend(true);
    expect(await bus?.count('key', 500, 1)).toMatchObject({ isWithin: true });
  });

  it.skipIf(!hasRedis)('do not tell Redis who is counted', async () => {
    const server = await redis();
    const [bus] = await redisBuses(server, 1);
    await bus?.count('sub:ann@example.com', 5_000, 1);
    const keys = await server.use((client) => client.keys('h:{v1}:rl:*'));
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.join()).not.toContain('ann');
  });
});

describe('names after the exchange has forgotten them', () => {
  it('belong to their owner again when it comes back, unless another replica was faster', async () => {
    const exchange = new InProcessExchange();
    const buses = await joinedBuses(exchange, 2);
    const [one, other] = [at(buses, 0), at(buses, 1)];
    await one.own('kept', 60_000);
    await one.own('lost', 60_000);
    exchange.names.delete('lost');
    await other.own('lost', 60_000);
    exchange.cut();
    exchange.mend();
    await expect.poll(() => one.own('lost', 60_000)).toBe(false);
    expect(await other.ownerOf('kept')).toBe(one.replica);
    expect(await one.ownerOf('lost')).toBe(other.replica);
    exchange.cut();
    exchange.mend(true);
    await expect.poll(() => other.ownerOf('kept')).toBe(one.replica);
    await expect.poll(() => one.ownerOf('lost')).toBe(other.replica);
  });
});

describe('newReplicaId', () => {
  it('gives 8 characters of base32, other ones each time', () => {
    const ids = Array.from({ length: 1_000 }, newReplicaId);
    for (const id of ids) expect(id).toMatch(/^[a-z2-7]{8}$/u);
    expect(new Set(ids).size).toBe(1_000);
  });
});
