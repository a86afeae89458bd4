import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openStores, type StorageOptions } from '../../../src/adapters/stores/open-stores.ts';
import type { Stores } from '../../../src/adapters/stores/stores.ts';
import type { JournalEntry } from '../../../src/core/ports/confirmation-journal.ts';
import { StepRefused } from '../../../src/core/ports/step-refused.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';

const postgres = databasesOfRun();
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function inMemory(): Promise<StorageOptions> {
  return Promise.resolve({ type: 'memory' });
}

async function embedded(): Promise<StorageOptions> {
  const path = await mkdtemp(join(tmpdir(), 'turns-'));
  cleanups.push(() => rm(path, { recursive: true, force: true }));
  return { type: 'embedded', path };
}

const lines = (first: number, ...texts: readonly string[]) => ({
  first,
  count: texts.length,
  text: texts.join('\n'),
});

/** Leaves no delivery out. */
const all = { hosts: [], turns: [] };

const entry: JournalEntry = {
  actionId: 'a1',
  callId: 'call_1',
  turnId: 't1',
  conversationId: 'c1',
  action: 'cancel_order',
  argumentsHash: 'f00d',
  arguments: '{}',
  agent: 'coordinator',
  owner: null,
  requestedAt: 1_000,
};

describe.each<readonly [string, () => Promise<StorageOptions>]>([
  ['InMemoryTurnStore', inMemory],
  ['SqlTurnStore on SQLite', embedded],
  ...(hasPostgres ? [['SqlTurnStore on PostgreSQL', postgres] as const] : []),
])('%s (the record of a turn)', (_name, storage) => {
  async function open(): Promise<Stores> {
    const stores = await openStores(await storage());
    cleanups.push(() => stores.journal.close());
    return stores;
  }

  const first = { turnId: 't1', header: '{"v":1}', lines: lines(0, 'one', 'two') };
  const hold = { turnId: 't1', epoch: 1 };

  it('keeps the lines of a turn in their order', async () => {
    const { turns } = await open();
    await turns.create(first, 10);
    await turns.append(hold, lines(2, 'three'));
    await turns.append(hold, lines(3, 'four', 'five'));
    expect(await turns.read('t1')).toEqual({
      turnId: 't1',
      epoch: 1,
      header: '{"v":1}',
      batches: [lines(0, 'one', 'two'), lines(2, 'three'), lines(3, 'four', 'five')],
      forgetAt: null,
      savedAt: 10,
    });
    expect(await turns.read('t2')).toBeUndefined();
  });

  it('takes the same change twice and keeps it once', async () => {
    const { turns } = await open();
    const again = async <Change>(change: () => Promise<Change>): Promise<void> => {
      await change();
      await change();
    };
    await again(() => turns.create(first, 10));
    await again(() => turns.append(hold, lines(2, 'three')));
    await turns.create(first, 10);
    await again(() => turns.end(hold, lines(3, 'four'), { forgetAt: 99 }));
    await turns.append(hold, lines(2, 'three'));
    expect(await turns.read('t1')).toMatchObject({
      batches: [lines(0, 'one', 'two'), lines(2, 'three'), lines(3, 'four')],
      forgetAt: 99,
    });
  });

  it('refuses a gap, other lines in the same place, other borders, and a second turn of the same id', async () => {
    const { turns } = await open();
    await turns.create(first, 10);
    await expect(turns.append(hold, lines(3, 'four'))).rejects.toThrow(StepRefused);
    await expect(turns.append(hold, lines(0, 'one', 'other'))).rejects.toThrow(StepRefused);
    await expect(turns.append(hold, lines(1, 'two'))).rejects.toThrow(StepRefused);
    await expect(turns.append(hold, lines(0, 'one'))).rejects.toThrow(StepRefused);
    await expect(turns.create({ ...first, header: '{"v":2}' }, 11)).rejects.toThrow(StepRefused);
    await expect(turns.create({ ...first, lines: lines(0, 'other') }, 11)).rejects.toThrow(StepRefused);
    await expect(turns.create({ ...first, turnId: 't2', lines: lines(1, 'late') }, 11)).rejects.toThrow(StepRefused);
    expect(await turns.read('t1')).toMatchObject({ header: '{"v":1}', batches: [first.lines], savedAt: 10 });
    // The refused turn was not stored in part.
    expect(await turns.ids()).toEqual(['t1']);
  });

  it('takes no line of an unknown turn, and none after the end', async () => {
    const { turns } = await open();
    await expect(turns.append(hold, lines(0, 'one'))).rejects.toThrow(StepRefused);
    await expect(turns.end(hold, lines(0, 'one'), { forgetAt: 99 })).rejects.toThrow(StepRefused);
    await turns.create(first, 10);
    await turns.end(hold, lines(2, 'three'), { forgetAt: 99 });
    await expect(turns.append(hold, lines(3, 'four'))).rejects.toThrow(StepRefused);
    await expect(turns.end(hold, lines(3, 'four'), { forgetAt: 99 })).rejects.toThrow(StepRefused);
    expect(await turns.read('t1')).toMatchObject({ batches: [first.lines, lines(2, 'three')], forgetAt: 99 });
  });

  it('begins and ends without a line', async () => {
    const { turns } = await open();
    await turns.create({ ...first, lines: lines(0) }, 10);
    await turns.append(hold, lines(0));
    await turns.append(hold, lines(0, 'one'));
    await turns.end(hold, lines(1), { forgetAt: 99 });
    await turns.end(hold, lines(1), { forgetAt: 99 });
    expect(await turns.read('t1')).toMatchObject({ batches: [lines(0, 'one')], forgetAt: 99 });
  });

  it('shuts out who had a turn once another has taken it up', async () => {
    const { turns, journal } = await open();
    await turns.create(first, 10);
    expect(await turns.claim('t1')).toMatchObject({ epoch: 2, header: '{"v":1}', batches: [first.lines] });
    await expect(turns.append(hold, lines(2, 'three'))).rejects.toThrow(StepRefused);
    await expect(turns.append(hold, first.lines)).rejects.toThrow(StepRefused);
    await expect(turns.end(hold, lines(2, 'three'), { forgetAt: 99 })).rejects.toThrow(StepRefused);
    await expect(turns.create(first, 10)).rejects.toThrow(StepRefused);
    await expect(journal.requested(entry, { ...hold, lines: 1 })).rejects.toThrow(StepRefused);
    await turns.append({ turnId: 't1', epoch: 2 }, lines(2, 'third'));
    expect(await turns.claim('t1')).toMatchObject({ epoch: 3, batches: [first.lines, lines(2, 'third')] });
    expect(await turns.claim('t2')).toBeUndefined();
  });

  it('gives each of two who take a turn up at the same moment an epoch of its own', async () => {
    const { turns } = await open();
    await turns.create(first, 10);
    const claims = await Promise.all([turns.claim('t1'), turns.claim('t1')]);
    expect(claims.map((claim) => claim?.epoch)).toEqual([2, 3]);
  });

  it('lets a question be born only under a turn that is stored as far as it says', async () => {
    const { turns, journal } = await open();
    await expect(journal.requested(entry, { ...hold, lines: 0 })).rejects.toThrow(StepRefused);
    await turns.create(first, 10);
    await expect(journal.requested(entry, { ...hold, lines: 3 })).rejects.toThrow(StepRefused);
    expect(await journal.find('a1')).toBeUndefined();
    await journal.requested(entry, { ...hold, lines: 2 });
    expect(await journal.find('a1')).toMatchObject({ state: 'requested' });
    expect(await turns.read('t1')).toMatchObject({ epoch: 1, batches: [first.lines] });
  });

  it('makes changes in the order of the calls, without anyone waiting in between', async () => {
    const { turns, journal } = await open();
    const results = await Promise.allSettled([
      turns.create(first, 10),
      turns.append(hold, lines(2, 'three')),
      journal.requested(entry, { ...hold, lines: 3 }),
      journal.answered('a1', { answer: 'approved', by: 'user', executing: {} }, 11),
      turns.append(hold, lines(4, 'gap')),
      journal.done('a1', 'succeeded', 12),
      turns.end(hold, lines(3, 'four'), { forgetAt: 99 }),
      journal.requested({ ...entry, actionId: 'a2' }, { ...hold, epoch: 2, lines: 1 }),
      turns.claim('t1'),
    ]);
    const refused = results.map(({ status }) => status === 'rejected');
    expect(refused).toEqual([false, false, false, false, true, false, false, true, false]);
    expect(await journal.find('a1')).toMatchObject({ state: 'done', outcome: 'succeeded' });
    expect(await turns.read('t1')).toMatchObject({ epoch: 2, forgetAt: 99 });
  });

  it('adds what is to be told with the end of a turn, once, and gives it out until it is settled', async () => {
    const { turns, deliveries } = await open();
    await turns.create(first, 10);
    const delivery = { owner: 'id:ann', host: 'hooks.example.com', dueAt: 5, content: 'sealed' };
    await expect(turns.end(hold, lines(9, 'gap'), { forgetAt: 99, delivery })).rejects.toThrow(StepRefused);
    expect(await deliveries.due(5, 10, all)).toEqual([]);
    await turns.end(hold, lines(2, 'end'), { forgetAt: 99, delivery });
    await turns.end(hold, lines(2, 'end'), { forgetAt: 99, delivery });
    expect(await deliveries.due(5, 10, all)).toEqual([{ turnId: 't1', ...delivery, attempts: 0 }]);
    await deliveries.postpone('t1', 60);
    expect(await deliveries.due(59, 10, all)).toEqual([]);
    expect(await deliveries.next(59)).toBe(60);
    expect(await deliveries.next(60)).toBeUndefined();
    expect(await deliveries.due(60, 10, all)).toEqual([{ turnId: 't1', ...delivery, dueAt: 60, attempts: 1 }]);
    await turns.forget(1_000, 0);
    expect(await deliveries.due(60, 10, all)).toHaveLength(1);
    expect(await deliveries.due(60, 10, { ...all, hosts: ['hooks.example.com'] })).toEqual([]);
    expect(await deliveries.due(60, 10, { ...all, turns: ['t1'] })).toEqual([]);
    await deliveries.settle('t1');
    expect(await deliveries.due(60, 10, all)).toEqual([]);
  });

  // proves wire-4-37
  it('forgets what is to be told of the turns of a user who is erased', async () => {
    const { turns, deliveries } = await open();
    for (const [turnId, owner] of [
      ['one', 'id:ann'],
      ['two', 'id:bob'],
    ] as const) {
      await turns.create({ ...first, turnId }, 10);
      await turns.end({ turnId, epoch: 1 }, lines(2, 'end'), {
        forgetAt: 99,
        delivery: { owner, host: `${owner}.example.com`, dueAt: 0, content: 'x' },
      });
    }
    await deliveries.erase('id:ann');
    expect((await deliveries.due(0, 10, all)).map(({ turnId }) => turnId)).toEqual(['two']);
  });

  it('lists turns oldest first, and forgets those that are due', async () => {
    const { turns } = await open();
    for (const [turnId, at] of [
      ['new', 30],
      ['old', 10],
      ['ended', 20],
      ['kept', 20],
    ] as const) {
      await turns.create({ ...first, turnId }, at);
    }
    await turns.end({ turnId: 'ended', epoch: 1 }, lines(2, 'end'), { forgetAt: 40 });
    await turns.end({ turnId: 'new', epoch: 1 }, lines(2, 'end'), { forgetAt: 41 });
    expect(await turns.ids()).toEqual(['old', 'ended', 'kept', 'new']);
    await turns.forget(40, 20);
    expect(await turns.ids()).toEqual(['kept', 'new']);
    expect(await turns.read('ended')).toBeUndefined();
    // A forgotten turn leaves no lines, so its id can be used again.
    await turns.create({ ...first, turnId: 'old', lines: lines(0, 'other') }, 50);
    expect(await turns.read('old')).toMatchObject({ batches: [lines(0, 'other')] });
  });

  it('gives the headers of one owner page by page, and those of turns without an owner by themselves', async () => {
    const { turns } = await open();
    const kept = [
      ...['a1', 'a2', 'a3'].map((turnId) => ({ turnId, owner: 'ann' })),
      ...['b1', 'b2'].map((turnId) => ({ turnId, owner: 'ben' })),
      { turnId: 'old' },
    ];
    for (const each of kept) await turns.create({ ...first, header: `header of ${each.turnId}`, ...each }, 10);
    const page = await turns.headers({ owner: 'ann', after: '', limit: 2 });
    expect(page).toEqual(['a1', 'a2'].map((turnId) => ({ turnId, header: `header of ${turnId}` })));
    expect(await turns.headers({ owner: 'ann', after: 'a2', limit: 2 })).toMatchObject([{ turnId: 'a3' }]);
    expect(await turns.headers({ owner: 'ann', after: 'a3', limit: 2 })).toEqual([]);
    expect(await turns.headers({ owner: null, after: '', limit: 2 })).toMatchObject([{ turnId: 'old' }]);
    expect(await turns.headers({ owner: 'nobody', after: '', limit: 2 })).toEqual([]);
  });

  it('forgets many turns at once', async () => {
    const { turns } = await open();
    const many = Array.from({ length: 120 }, (_, index) => `turn-${String(index)}`);
    await Promise.all(many.map((turnId) => turns.create({ ...first, turnId }, 10)));
    await turns.forget(0, 11);
    expect(await turns.ids()).toEqual([]);
  });
});
