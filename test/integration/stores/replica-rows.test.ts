import { describe, expect, it, vi } from 'vitest';
import { hintedId } from '../../../src/core/base/hinted-id.ts';
import { recoverShared } from '../../../src/core/confirmations/recover-journal.ts';
import type { BudgetHold } from '../../../src/core/ports/budget-store.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { beating, openReplica, type ReplicaStores, sharedOf, silent } from '../../support/replicas/replica-stores.ts';

const newDatabase = databasesOfRun();
const log = recordingLogger();

const entry = (actionId: string, turnId = 'not kept') => ({
  ...{ actionId, callId: `call of ${actionId}`, turnId, conversationId: '', action: 'pay', argumentsHash: 'f00d' },
  ...{ arguments: '{}', agent: 'mcp', path: 'mcp', owner: 'id:ann', requestedAt: 1 },
});

const approve = { answer: 'approved', by: 'user' } as const;

/** Puts a question, an approval and a running call into the journal. */
async function ask({ journal }: ReplicaStores, name: string): Promise<void> {
  for (const id of ['asked', 'approved', 'running']) await journal.requested(entry(`${name} ${id}`));
  for (const id of ['approved', 'running']) await journal.answered(`${name} ${id}`, approve, 2);
  await journal.executing(`${name} running`, 3);
}

async function recover({ journal }: ReplicaStores): Promise<readonly string[]> {
  const closed = await recoverShared(sharedOf(journal.shared), log, 9);
  return closed.map(({ actionId }) => actionId);
}

describe.skipIf(!hasPostgres)('confirmations of replicas (contract/replicas.md#left-behind)', () => {
  // proves configuration-5-80, configuration-5-81
  it('are given up once when their replica has died, and left alone while it lives', async () => {
    const storage = await newDatabase();
    const [dead, one, other] = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    await ask(dead, 'dead');
    await ask(one, 'living');
    expect(await recover(other)).toEqual([]);
    await dead.end();
    const closed = (await Promise.all([one, other, one, other].map(recover))).flat();
    expect(closed.toSorted()).toEqual(['dead approved', 'dead asked', 'dead running']);
    const ends = await Promise.all(['asked', 'approved', 'running'].map((id) => one.journal.find(`dead ${id}`)));
    expect(ends).toMatchObject([
      { state: 'done', answer: 'cancelled', answeredBy: 'system', outcome: 'cancelled' },
      { state: 'done', answer: 'approved', outcome: 'cancelled' },
      { state: 'done', answer: 'approved', outcome: 'unknown', call: null },
    ]);
    expect((await other.journal.unfinished()).map(({ actionId }) => actionId)).toHaveLength(3);
    const warned = log.lines.filter(({ fields }) => JSON.stringify(fields).includes('"dead running"'));
    expect(warned).toHaveLength(1);
  });

  // proves configuration-5-81
  it('stay with the turn where that is kept: whoever takes it up goes on with them', async () => {
    const storage = await newDatabase();
    const [dead, living] = await Promise.all([openReplica(storage), openReplica(storage)]);
    await dead.turns.create({ turnId: 'kept', header: 'h', lines: { first: 0, count: 1, text: 'x' } }, 1);
    await dead.journal.requested(entry('question', 'kept'), { turnId: 'kept', epoch: 1, lines: 1 });
    await dead.end();
    expect(await recover(living)).toEqual([]);
    expect(await sharedOf(living.journal.shared).abandon({ actionId: 'question', state: 'requested' }, 9)).toBe(false);
  });

  // proves configuration-5-82
  it('of a replica that was only silent are over for it too', async () => {
    const storage = await newDatabase();
    const [frozen, living] = await Promise.all([openReplica(storage, silent), openReplica(storage, beating)]);
    await ask(frozen, 'first');
    await vi.waitFor(async () => expect(await recover(living)).toHaveLength(3));
    await expect(frozen.journal.done('first running', 'succeeded', 4, ['executing'])).rejects.toThrow();
    await expect(frozen.journal.answered('first asked', approve, 4)).rejects.toThrow();
    expect(await frozen.journal.find('first running')).toMatchObject({ outcome: 'unknown' });
    // Another replica has read the rows as left behind, and this one has closed them before.
    const left = { actionId: 'first running', state: 'executing' } as const;
    expect(await sharedOf(living.journal.shared).abandon(left, 9)).toBe(false);
  });

  // proves configuration-5-81
  it('that were running are told to every replica for a while', async () => {
    const storage = await newDatabase();
    const [dead, one, other] = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    await ask(dead, 'dead');
    await ask(one, 'living');
    await one.journal.done('living running', 'unknown', 9);
    await dead.end();
    await recover(one);
    for (const { journal } of [one, other]) {
      const rows = await sharedOf(journal.shared).interrupted(9);
      expect(rows.map(({ actionId }) => actionId)).toEqual(['dead running']);
      expect(await sharedOf(journal.shared).interrupted(10)).toEqual([]);
    }
  });
});

const hold = (account: string, amount: number): BudgetHold => ({ account, amount, below: 1_000, endsAt: 100 });

describe.skipIf(!hasPostgres)('budgets of replicas (contract/replicas.md#left-behind)', () => {
  // proves configuration-5-83
  it('count once what a dead replica has held, and leave held what living ones hold', async () => {
    const storage = await newDatabase();
    const [dead, one, other] = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    await one.budgets.hold('of one', [hold('all', 5)], 1);
    for (let call = 0; call < 10; call += 1) {
      await dead.budgets.hold(`dead ${String(call)}`, [hold('all', 10), hold('ann', 1)], 1);
    }
    await dead.budgets.settle('dead 0', [{ account: 'all', amount: 3 }, { account: 'ann', amount: 1 }]); // prettier-ignore
    expect(await other.budgets.countLeftBehind()).toBe(0);
    await dead.end();
    const counted = await Promise.all([one, other, one, other].map(({ budgets }) => budgets.countLeftBehind()));
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(18);
    const uses = (await one.budgets.uses(['all', 'ann'], 2)).toSorted((a, b) => a.account.localeCompare(b.account));
    expect(uses).toEqual([
      { account: 'all', spent: 93, held: 5, endsAt: 100 },
      { account: 'ann', spent: 10, held: 0, endsAt: 100 },
    ]);
    await one.budgets.settle('of one', [{ account: 'all', amount: 2 }]);
    expect(await other.budgets.uses(['all'], 2)).toMatchObject([{ spent: 95, held: 0 }]);
  });

  // proves configuration-5-83
  it('take no settlement any more of a call that was counted already', async () => {
    const storage = await newDatabase();
    const [frozen, living] = await Promise.all([openReplica(storage, silent), openReplica(storage, beating)]);
    await frozen.budgets.hold('call', [hold('all', 10)], 1);
    await vi.waitFor(async () => expect(await living.budgets.countLeftBehind()).toBe(1));
    await frozen.budgets.settle('call', [{ account: 'all', amount: 4 }]);
    expect(await living.budgets.uses(['all'], 2)).toMatchObject([{ spent: 10, held: 0 }]);
  });
});

const capture = (turnId: string) => ({
  ...{ turnId, conversationId: 'c', userKey: 'id:ann', words: 'I have a dog.', askedAt: 1 },
});

describe.skipIf(!hasPostgres)(
  'messages that replicas look through for facts (contract/replicas.md#left-behind)',
  () => {
    // proves configuration-5-84
    it('are taken over by one replica when theirs has died, and by none while it lives', async () => {
      const storage = await newDatabase();
      const [dead, one, other] = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
      for (const turnId of ['one', 'two']) await dead.memory.pend(capture(turnId));
      await one.memory.pend(capture('own'));
      expect(await other.memory.pending()).toEqual([]);
      expect(await sharedOf(other.memory.captures).claim('one')).toBe(false);
      await dead.memory.drop('two');
      await dead.end();
      expect((await other.memory.pending()).map(({ turnId }) => turnId)).toEqual(['one']);
      const claims = await Promise.all(
        [one, other, one, other].map(({ memory }) => sharedOf(memory.captures).claim('one')),
      );
      expect(claims.filter((isOurs) => isOurs)).toHaveLength(1);
      expect(await one.memory.pending()).toEqual([]);
      expect(await sharedOf(one.memory.captures).claim('two')).toBe(false);
    });

    /** What ann says now on this replica, by a clock that is ahead of the others. */
    const saidBy = ({ replica }: ReplicaStores, aheadMs = 0) => {
      const words = { ...capture(hintedId(replica)), askedAt: Date.now() + aheadMs };
      return {
        ...words,
        /** The words reach the store by the clock of the replica. */
        async reach({ memory }: ReplicaStores): Promise<boolean> {
          const now = Date.now.bind(Date);
          const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
          try {
            return await memory.pend(words);
          } finally {
            clock.mockRestore();
          }
        },
      };
    };

    // proves service-2.10-80
    it.each([0, 29_000, -29_000])('count at once after an erasure, by a clock that is %i ms ahead', async (ahead) => {
      const storage = await newDatabase();
      const [one, other] = await Promise.all([openReplica(storage), openReplica(storage)]);
      const before = saidBy(other, ahead);
      const kept = saidBy(other, ahead);
      await kept.reach(other);
      expect(await other.memory.isPending(kept.turnId)).toBe(true);
      await one.memory.erase('id:ann', undefined, Date.now());
      expect(await other.memory.isPending(kept.turnId)).toBe(false);
      expect(await before.reach(other)).toBe(false);
      await vi.waitFor(async () => expect(await saidBy(other, ahead).reach(other)).toBe(true));
    });

    // proves service-2.10-80
    it('count at once after a correction', async () => {
      const storage = await newDatabase();
      const [one, other] = await Promise.all([openReplica(storage), openReplica(storage)]);
      const first = saidBy(one);
      await first.reach(one);
      const fact = { id: 'f', text: 'Lives in Basel.', hash: 'h', kind: 'fact', at: 1, conversationId: 'c' } as const;
      await one.memory.change(
        'id:ann',
        { add: [{ ...fact, turnId: first.turnId }], replace: [], remove: [] },
        first.turnId,
      );
      const before = saidBy(other);
      expect(await one.memory.correct('id:ann', { ...fact, text: 'Lives in Bern.' }, Date.now())).toBe(true);
      expect(await before.reach(other)).toBe(false);
      await vi.waitFor(async () => expect(await saidBy(other).reach(other)).toBe(true));
    });

    // proves service-2.10-81
    it('of a turn that another replica has begun count as said up to 30 s earlier', async () => {
      const storage = await newDatabase();
      const [one, other] = await Promise.all([openReplica(storage), openReplica(storage)]);
      await one.memory.erase('id:ann', undefined, Date.now());
      await vi.waitFor(async () => expect(await saidBy(other).reach(other)).toBe(true));
      expect(await saidBy(one).reach(other)).toBe(false);
    });
  },
);

const open = ['working'];
const task = (id: string, turnId = 'not kept') => ({
  ...{ id, contextId: 'c', owner: 'id:ann', turnId, state: 'working', changedAt: 10, content: 'sealed' },
});
const lines = { first: 0, count: 1, text: 'x' };

function claim({ tasks }: ReplicaStores, id: string): Promise<boolean> {
  return sharedOf(tasks.shared).claim(id, open);
}

describe.skipIf(!hasPostgres)('tasks of replicas (contract/replicas.md#left-behind)', () => {
  // proves configuration-5-85
  it('are taken over by one replica when theirs has died, and changed by no other', async () => {
    const storage = await newDatabase();
    const [dead, one, other] = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    await dead.tasks.add(task('t'), 9, open);
    expect([await claim(one, 't'), await one.tasks.inState('working', 0)]).toEqual([false, []]);
    expect(await one.tasks.update({ ...task('t'), state: 'failed' }, open)).toBe(false);
    expect(await one.tasks.find('t', 0)).toEqual(task('t'));
    await dead.end();
    expect(await other.tasks.inState('working', 0)).toEqual([task('t')]);
    const claims = await Promise.all([claim(one, 't'), claim(other, 't')]);
    expect(claims.filter((isOurs) => isOurs)).toHaveLength(1);
    const [holder, loser] = claims[0] ? [one, other] : [other, one];
    expect(await claim(holder, 't')).toBe(true);
    expect(await loser.tasks.update({ ...task('t'), state: 'failed' }, open)).toBe(false);
    expect(await holder.tasks.update({ ...task('t'), state: 'completed' }, open)).toBe(true);
    expect(await claim(holder, 't')).toBe(false);
  });

  // proves configuration-5-85
  it('go to the replica that has taken up their turn, and to nobody before', async () => {
    const storage = await newDatabase();
    const [dead, one, other] = await Promise.all([openReplica(storage), openReplica(storage), openReplica(storage)]);
    await dead.turns.create({ turnId: 'kept', header: 'h', lines }, 1);
    await dead.tasks.add(task('t', 'kept'), 9, open);
    await dead.end();
    expect([await claim(one, 't'), await claim(other, 't')]).toEqual([false, false]);
    await one.turns.claim('kept');
    expect([await claim(other, 't'), await claim(one, 't')]).toEqual([false, true]);
    await one.turns.end({ turnId: 'kept', epoch: 2 }, { ...lines, first: 1 }, { forgetAt: 9_000 });
    expect(await claim(other, 't')).toBe(false);
    await one.end();
    expect(await claim(other, 't')).toBe(true);
  });
});

describe.skipIf(!hasPostgres)('figures of replicas (contract/replicas.md#left-behind)', () => {
  // proves configuration-5-87
  it('are stored by each replica for itself, and read together', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([openReplica(storage), openReplica(storage)]);
    for (const store of [one.metrics, one.metrics.of('acme')]) {
      await store.save({ hour: 1_000, figures: 'first of one' });
      await store.save({ hour: 1_000, figures: 'of one' });
    }
    await other.metrics.save({ hour: 1_000, figures: 'of other' });
    const parts = await one.metrics.read(0, 9_000);
    expect(parts).toHaveLength(2);
    expect(parts).toContainEqual({ hour: 1_000, figures: 'of one' });
    expect(parts).toContainEqual({ hour: 1_000, figures: 'of other', isOfOther: true });
    expect(await other.metrics.of('acme').read(0, 9_000)).toEqual([
      { hour: 1_000, figures: 'of one', isOfOther: true },
    ]);
    await one.metrics.forget(2_000);
    expect([await other.metrics.read(0, 9_000), await other.metrics.of('acme').read(0, 9_000)]).toEqual([[], []]);
  });
});
