import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CarriedBus } from '../../../../../src/adapters/bus/carried-bus.ts';
import { InProcessExchange } from '../../../../../src/adapters/bus/in-process/in-process-exchange.ts';
import { ConnectionOwners } from '../../../../../src/channels/shared/replicas/connection-owners.ts';
import { joinedBuses } from '../../../../support/bus/opened-buses.ts';
import { recordingLogger } from '../../../../support/quiet.ts';

interface Place {
  readonly bus: CarriedBus;
  readonly owners: ConnectionOwners;
  /** Connections of which something is here, although they have ended. */
  readonly needed: Set<string>;
  readonly taken: string[];
}

/** Replicas with their connections. `tokenMs` is 0 unless it is given. */
async function places(count: number, tokenMs = 0): Promise<{ exchange: InProcessExchange; all: Place[] }> {
  const exchange = new InProcessExchange();
  const buses = await joinedBuses(exchange, count);
  const all = buses.map((bus) => {
    const needed = new Set<string>();
    const taken: string[] = [];
    const isNeeded = (connectionId: string): boolean => needed.has(connectionId);
    const owners = new ConnectionOwners({ bus, log: recordingLogger(), tokenMs, isNeeded });
    owners.onTaken((connectionId) => taken.push(connectionId));
    onTestFinished(() => {
      owners.close();
    });
    return { bus, owners, needed, taken };
  });
  return { exchange, all };
}

/** Two replicas. */
async function two(tokenMs?: number): Promise<{ exchange: InProcessExchange; here: Place; there: Place }> {
  const { exchange, all } = await places(2, tokenMs);
  const [here, there] = all;
  if (here === undefined || there === undefined) throw new Error('there are fewer replicas');
  return { exchange, here, there };
}

const idOf = ({ bus }: Place): string => `${bus.replica}.${randomBytes(16).toString('base64url')}`;

describe('the owner of a connection (contract/replicas.md#connections)', () => {
  // proves wire-10-42
  it('is the one replica of many that claims it at the same time, and all others find it', async () => {
    const { all } = await places(3);
    const connectionId = idOf(all[0] ?? expect.fail());
    const claimed = await Promise.all([...all, ...all].map(({ owners }) => owners.claim(connectionId)));
    expect(claimed.filter(Boolean)).toHaveLength(1);
    const owner = all[claimed.indexOf(true)] ?? expect.fail();
    for (const place of all)
      expect(await place.owners.ownerOf(connectionId)).toBe(place === owner ? undefined : owner.bus.replica);
  });

  // proves wire-10-43
  it('may be the replica that its id names, where nobody has claimed it', async () => {
    const { here, there } = await two();
    expect(await here.owners.ownerOf(idOf(there))).toBeUndefined();
    expect(await here.owners.ownerOf(idOf(there), { orHint: true })).toBe(there.bus.replica);
    expect(await here.owners.ownerOf(idOf(here), { orHint: true })).toBeUndefined();
    for (const id of ['', 'abc', 'NOTALIFE.abc', there.bus.replica, `${there.bus.replica}.${'x'.repeat(60)}`, 'a\nb'])
      expect(await here.owners.ownerOf(id, { orHint: true })).toBeUndefined();
  });

  // proves wire-10-45
  it('keeps its name from the bus', async () => {
    const { here } = await two();
    const own = vi.spyOn(here.bus, 'own');
    const connectionId = idOf(here);
    await here.owners.claim(connectionId);
    expect(own.mock.calls[0]?.[0]).toMatch(/^connection:[\w-]{43}$/);
    expect(JSON.stringify(own.mock.calls)).not.toContain(connectionId.slice(9));
  });

  // proves wire-10-43
  it('is known until the connection has ended, its token is void, and nothing of it is left', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { here, there } = await two(60_000);
    const connectionId = idOf(here);
    await here.owners.claim(connectionId);
    here.needed.add(connectionId);
    const isKnown = async (): Promise<boolean> => (await there.owners.ownerOf(connectionId)) === here.bus.replica;
    vi.advanceTimersByTime(70_000);
    expect(await isKnown()).toBe(true);
    here.owners.release(connectionId);
    vi.advanceTimersByTime(10_000);
    expect(await isKnown()).toBe(true);
    here.needed.delete(connectionId);
    vi.advanceTimersByTime(5_000);
    await expect.poll(isKnown).toBe(false);
  });

  // proves wire-10-42
  it('keeps the token of a short connection from opening another one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { here, there } = await two(60_000);
    const connectionId = idOf(here);
    await here.owners.claim(connectionId);
    here.owners.release(connectionId);
    vi.advanceTimersByTime(55_000);
    expect(await there.owners.claim(connectionId)).toBe(false);
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => there.owners.claim(connectionId)).toBe(true);
  });
});

describe('the owner of a connection while the bus is away (contract/replicas.md#connections)', () => {
  it('is each replica for itself. Once the bus is back, the others know it', async () => {
    const { exchange, here, there } = await two();
    const connectionId = idOf(here);
    exchange.cut();
    expect(await here.owners.claim(connectionId)).toBe(true);
    await expect(there.owners.ownerOf(connectionId)).rejects.toMatchObject({ code: 'cluster_unavailable' });
    exchange.mend();
    await expect.poll(() => there.owners.ownerOf(connectionId)).toBe(here.bus.replica);
    expect(here.taken).toEqual([]);
  });

  // proves wire-10-48
  it('is one of them once the bus is back, and the other one is told', async () => {
    const { exchange, here, there } = await two();
    const connectionId = idOf(here);
    exchange.cut();
    expect(await here.owners.claim(connectionId)).toBe(true);
    expect(await there.owners.claim(connectionId)).toBe(true);
    exchange.mend();
    await expect.poll(() => [...here.taken, ...there.taken]).toEqual([connectionId]);
  });
});
