import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { newReplicaId } from '../../../src/adapters/bus/replica-id.ts';
import { openStores } from '../../../src/adapters/stores/open-stores.ts';
import { openPostgresStores } from '../../../src/adapters/stores/postgres/open-postgres-stores.ts';
import type { LeaseTimes } from '../../../src/adapters/stores/postgres/replica-lease.ts';
import { unobserved } from '../../../src/adapters/stores/storage-observer.ts';
import type { ConfirmationJournal } from '../../../src/core/ports/confirmation-journal.ts';
import { StepRefused } from '../../../src/core/ports/step-refused.ts';
import type { SharedTurns, TurnStore } from '../../../src/core/ports/turn-store.ts';
import { hasPostgres, databasesOfRun, type PostgresStorage } from '../../support/databases/postgres.ts';
import { stallingProxy } from '../../support/databases/stalling-proxy.ts';

const newDatabase = databasesOfRun();

interface Server {
  readonly replica: string;
  readonly turns: TurnStore;
  readonly shared: SharedTurns;
  readonly journal: ConfirmationJournal;
  close(): Promise<void>;
}

async function opened(storage: PostgresStorage, lease?: LeaseTimes): Promise<Server> {
  const path = await mkdtemp(join(tmpdir(), 'replica-'));
  const replica = newReplicaId();
  const { turns, journal } = await openStores({ ...storage, path, replica, lease });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= journal.close());
  onTestFinished(async () => {
    await close();
    await rm(path, { recursive: true, force: true });
  });
  if (turns.shared === undefined) throw new Error('the turns are not shared');
  return { replica, turns, shared: turns.shared, journal, close };
}

/** When the database has heard a server last, by its own clock, in epoch milliseconds. */
async function seenAt({ url }: PostgresStorage, { replica }: Server): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ seen_at: string }>('select seen_at from replica where id = $1', [replica]);
    return Number(rows[0]?.seen_at);
  } finally {
    await client.end();
  }
}

/** Resolves with the time at which a server is heard after `last`. */
function heardAfter(last: number, storage: PostgresStorage, server: Server): Promise<number> {
  return vi.waitFor(async () => {
    const seen = await seenAt(storage, server);
    expect(seen).toBeGreaterThan(last);
    return seen;
  });
}

/** A lease that is over at once: everybody may take what the others hold. */
const noLease = { beatMs: 60_000, leaseMs: 0 };

const question = {
  ...{
    actionId: 'a1',
    callId: 'c1',
    turnId: 't1',
    conversationId: 'c1',
    action: 'cancel_order',
    argumentsHash: 'f00d',
  },
  ...{ arguments: '{}', agent: 'coordinator', owner: 'id:ann', requestedAt: 1 },
};

const lines = (first: number) => ({ first, count: 1, text: `line ${String(first)}` });

function create({ turns }: Server, turnId = 't1'): Promise<void> {
  return turns.create({ turnId, header: 'h', lines: lines(0) }, 1);
}

describe.skipIf(!hasPostgres)('leases of turns (contract/replicas.md#turns)', () => {
  it('leave a turn to the living replica that began it', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([opened(storage), opened(storage)]);
    await create(one);
    expect(await other.shared.free()).toEqual([]);
    expect(await other.turns.claim('t1')).toBeUndefined();
    expect(await other.shared.stateOf('t1')).toEqual({ heldBy: one.replica, isOver: false });
    expect(await other.shared.others()).toEqual([one.replica]);
    await one.turns.append({ turnId: 't1', epoch: 1 }, lines(1));
  });

  it('give a turn that was released to exactly one of those who claim it at the same moment', async () => {
    const storage = await newDatabase();
    const servers = await Promise.all([opened(storage), opened(storage), opened(storage)]);
    await create(servers[0]);
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(servers.map(({ shared }) => shared.release('t1')));
      expect(await servers[1].shared.free()).toEqual(['t1']);
      const claims = await Promise.all(servers.flatMap(({ turns }) => [turns.claim('t1'), turns.claim('t1')]));
      expect(claims.filter((kept) => kept !== undefined)).toHaveLength(1);
    }
  });

  it('give the turns of a replica that says nothing any more to another one, and then refuse what it still writes', async () => {
    const storage = await newDatabase();
    const dead = await opened(storage, { beatMs: 60_000, leaseMs: 200 });
    const living = await opened(storage, { beatMs: 20, leaseMs: 200 });
    await create(dead);
    await create(living, 't2');
    await vi.waitFor(async () => {
      expect(await living.shared.free()).toContain('t1');
    });
    expect(await living.shared.free()).toEqual(['t1']);
    expect((await living.turns.claim('t1'))?.epoch).toBe(2);
    await expect(dead.turns.append({ turnId: 't1', epoch: 1 }, lines(1))).rejects.toThrow();
    await dead.shared.release('t1');
    expect(await living.shared.stateOf('t1')).toEqual({ heldBy: living.replica, isOver: false });
    expect(await living.shared.others()).toEqual([]);
    await living.turns.append({ turnId: 't1', epoch: 2 }, lines(1));
  });

  it('give nobody a turn that it holds itself, however long the database was away', async () => {
    const storage = await newDatabase();
    const server = await opened(storage, { beatMs: 60_000, leaseMs: 0 });
    await create(server);
    expect(await server.shared.free()).toEqual([]);
    expect(await server.turns.claim('t1')).toBeUndefined();
    expect(await server.shared.stateOf('t1')).toEqual({ heldBy: server.replica, isOver: false });
  });

  it('leave a silent replica the time of a lease, as long as the one that looks has not heard of it for that long', async () => {
    const storage = await newDatabase();
    const silent = await opened(storage, { beatMs: 60_000, leaseMs: 1 });
    await create(silent);
    const clock = { now: performance.now() };
    vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
    onTestFinished(() => void vi.restoreAllMocks());
    const looking = await opened(storage, { beatMs: 50, leaseMs: 2_000 });
    for (let passed = 0; passed < 2_000; passed += 1_000) {
      await heardAfter(await seenAt(storage, looking), storage, looking);
      expect(await looking.shared.free()).toEqual([]);
      clock.now += 1_000;
    }
    // It counts from the first time that it has looked in vain, which may have been a second later.
    await vi.waitFor(async () => {
      clock.now += 1_000;
      expect(await looking.shared.free()).toEqual(['t1']);
    });
  });

  it.each(['approved', 'declined', 'expired', 'cancelled'] as const)(
    'let no replica end a question as %s whose turn another one has taken up',
    async (answer) => {
      const storage = await newDatabase();
      const [frozen, other] = await Promise.all([opened(storage, noLease), opened(storage, noLease)]);
      await create(frozen);
      await frozen.journal.requested(question, { turnId: 't1', epoch: 1, lines: 1 });
      expect((await other.turns.claim('t1'))?.epoch).toBe(2);
      await expect(frozen.journal.answered('a1', { answer, by: 'user' }, 2)).rejects.toThrow();
      await other.journal.answered('a1', { answer, by: 'user' }, 2);
    },
  );

  // proves wire-10-67
  it('let no replica make a call again whose turn another one has taken up', async () => {
    const storage = await newDatabase();
    const [frozen, other] = await Promise.all([opened(storage, noLease), opened(storage, noLease)]);
    await create(frozen);
    await frozen.journal.requested(question, { turnId: 't1', epoch: 1, lines: 1 });
    await other.turns.claim('t1');
    await other.journal.answered('a1', { answer: 'approved', by: 'user', executing: {} }, 2);
    await expect(frozen.journal.retried('a1')).rejects.toThrow();
    await other.journal.retried('a1');
  });

  // proves wire-10-67
  it('let no replica withdraw a question that another one may have shown', async () => {
    const storage = await newDatabase();
    const [frozen, other] = await Promise.all([opened(storage, noLease), opened(storage, noLease)]);
    await create(frozen);
    await frozen.journal.requested(question, { turnId: 't1', epoch: 1, lines: 1 });
    await other.turns.claim('t1');
    await frozen.journal.withdrawn(question, 2);
    expect(await other.journal.find('a1')).toMatchObject({ state: 'requested' });
    await other.journal.answered('a1', { answer: 'approved', by: 'user' }, 3);
  });

  // proves wire-10-52
  it('let no replica end a call whose turn another one has taken up: that one tells what has come of it', async () => {
    const storage = await newDatabase();
    const [frozen, other] = await Promise.all([opened(storage, noLease), opened(storage, noLease)]);
    await create(frozen);
    const approved = { answer: 'approved', by: 'user', executing: {} } as const;
    for (const actionId of ['told', 'made again', 'begun there']) {
      await frozen.journal.requested({ ...question, actionId, callId: actionId }, { turnId: 't1', epoch: 1, lines: 1 });
    }
    for (const actionId of ['told', 'made again']) await frozen.journal.answered(actionId, approved, 2);
    await frozen.journal.answered('begun there', { answer: 'approved', by: 'user' }, 2);
    await other.turns.claim('t1');
    await other.journal.done('told', 'unknown', 3, ['executing']);
    await other.journal.retried('made again');
    await other.journal.executing('begun there', 3);
    for (const actionId of ['told', 'made again', 'begun there']) {
      const ended = frozen.journal.done(actionId, 'failed', 4, ['answered', 'executing']);
      await expect(ended).rejects.toThrow(StepRefused);
    }
    for (const actionId of ['made again', 'begun there']) await other.journal.done(actionId, 'succeeded', 5);
    const rows = await other.journal.ofTurn('t1');
    const outcomes = Object.fromEntries(rows.map(({ actionId, outcome }) => [actionId, outcome]));
    expect(outcomes).toEqual({ told: 'unknown', 'made again': 'succeeded', 'begun there': 'succeeded' });
  });

  // proves wire-10-52
  it('let a replica end the calls of its own turns, of those that it has handed over, and of those that are not kept', async () => {
    const storage = await newDatabase();
    const server = await opened(storage, noLease);
    await Promise.all([create(server), create(server, 't2')]);
    for (const turnId of ['t1', 't2', 'not kept']) {
      await server.journal.requested({ ...question, turnId, actionId: turnId, callId: turnId });
    }
    await server.shared.release('t2');
    for (const turnId of ['t1', 't2', 'not kept']) await server.journal.done(turnId, 'cancelled', 2);
    expect(await server.journal.unfinished()).toEqual([]);
  });

  // proves wire-10-97
  it('stay with a replica whose connection is swallowed by the network, because it says on another one that it lives', async () => {
    const storage = await newDatabase();
    const proxy = await stallingProxy(storage);
    const lease = { beatMs: 1_000, leaseMs: 9_000 };
    const looking = await opened(storage, lease);
    const server = await opened({ ...storage, url: proxy.url }, lease);
    await create(server);
    proxy.swallow();
    const last = await seenAt(storage, server);
    expect((await heardAfter(last, storage, server)) - last).toBeLessThan(lease.leaseMs);
    expect(await looking.shared.free()).toEqual([]);
  });

  // proves wire-10-96
  it('are known as lost to the replica that held them: one that another has claimed, and one that is gone', async () => {
    const storage = await newDatabase();
    const [silent, other] = await Promise.all([opened(storage, noLease), opened(storage, noLease)]);
    for (const turnId of ['t1', 't2', 't3']) await create(silent, turnId);
    const holds = ['t1', 't2', 't3'].map((turnId) => ({ turnId, epoch: 1 }));
    expect(await silent.shared.lost(holds)).toEqual([]);
    await other.turns.claim('t1');
    await other.turns.delete(['t3']);
    expect(await silent.shared.lost(holds)).toEqual(['t1', 't3']);
    expect(await other.shared.lost([{ turnId: 't1', epoch: 2 }])).toEqual([]);
    expect(await silent.shared.lost([])).toEqual([]);
  });

  // proves wire-10-96
  it('are looked at when a replica is heard again after it may have counted as dead, and not at each time that it is heard', async () => {
    const storage = await newDatabase();
    const proxy = await stallingProxy(storage);
    const lease = { beatMs: 50, leaseMs: 2_500 };
    const server = await opened({ ...storage, url: proxy.url }, lease);
    const heardAgain = vi.fn<() => void>();
    server.shared.onHeardAgain(heardAgain);
    await heardAfter(await heardAfter(0, storage, server), storage, server);
    expect(heardAgain).not.toHaveBeenCalled();
    proxy.swallow();
    await vi.waitUntil(() => heardAgain.mock.calls.length > 0);
    expect(heardAgain).toHaveBeenCalledTimes(1);
  });

  it('give the turns of a replica that has closed to another one at once', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([opened(storage), opened(storage)]);
    await create(one);
    await one.close();
    expect(await other.shared.free()).toEqual(['t1']);
  });

  it('let nobody claim a turn that has ended', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([opened(storage), opened(storage)]);
    await create(one);
    await one.turns.end({ turnId: 't1', epoch: 1 }, lines(1), { forgetAt: 1_000 });
    await one.close();
    expect(await other.shared.free()).toEqual([]);
    expect(await other.shared.stateOf('t1')).toEqual({ heldBy: undefined, isOver: true });
    expect(await other.turns.claim('t1')).toBeUndefined();
    expect((await other.turns.read('t1'))?.batches).toHaveLength(2);
  });

  it('keep a server that uses the database alone waiting while replicas use it', async () => {
    const storage = await newDatabase();
    const replica = await opened(storage);
    const path = await mkdtemp(join(tmpdir(), 'alone-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    const alone = (otherServerMs: number) =>
      openPostgresStores({ ...storage, path }, unobserved, { databaseMs: 1_000, otherServerMs });
    await expect(alone(0)).rejects.toThrow('another server');
    const [stores] = await Promise.all([alone(10_000), replica.close()]);
    await stores.journal.close();
  });
});
