import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStores } from '../../../src/adapters/stores/open-stores.ts';
import type { StoredTask, TaskStore } from '../../../src/core/ports/task-store.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';

const postgres = databasesOfRun();

const task = (id: string, more: Partial<StoredTask> = {}): StoredTask => ({
  ...{
    id,
    contextId: 'c',
    owner: 'id:ann',
    turnId: `turn-${id}`,
    state: 'working',
    changedAt: 10,
    content: `of ${id}`,
  },
  ...more,
});

const open = ['working'];

const everything = { changedAfter: 0, limit: 100 };

async function opened(type: 'memory' | 'embedded' | 'postgres'): Promise<TaskStore> {
  const path = mkdtempSync(join(tmpdir(), 'helper-tasks-'));
  const { tasks, journal } = await openStores(
    type === 'memory' ? { type } : type === 'embedded' ? { type, path } : await postgres(),
  );
  onTestFinished(async () => {
    await journal.close();
    rmSync(path, { recursive: true, force: true });
  });
  return tasks;
}

async function idsOf(store: TaskStore, owner = 'id:ann', query = {}): Promise<readonly string[]> {
  return (await store.list(owner, { ...everything, ...query })).tasks.map(({ id }) => id);
}

describe.each(['memory', 'embedded', ...(hasPostgres ? (['postgres'] as const) : [])] as const)(
  'tasks in %s storage (contract/a2a-server.md#whose-tasks)',
  (type) => {
    it('are found as they were kept, and as they were changed', async () => {
      const store = await opened(type);
      await store.add(task('one', { owner: null }), 10, open);
      expect(await store.find('one', 9)).toEqual(task('one', { owner: null }));
      expect(await store.find('one', 10)).toBeUndefined();
      expect(await store.find('two', 0)).toBeUndefined();
      const changes = { state: 'completed', changedAt: 20, content: 'done' };
      expect(await store.update({ id: 'one', ...changes }, open)).toBe(true);
      expect(await store.find('one', 19)).toEqual(task('one', { owner: null, ...changes }));
      expect(await store.update({ id: 'two', ...changes }, open)).toBe(false);
      expect(await store.find('two', 0)).toBeUndefined();
      // What is over does not change any more.
      expect(await store.update({ id: 'one', ...changes, content: 'failed' }, open)).toBe(false);
      expect((await store.find('one', 0))?.content).toBe('done');
    });

    it('are listed by owner, the last changed first', async () => {
      const store = await opened(type);
      for (const [id, changedAt] of [
        ['b', 10],
        ['a', 10],
        ['c', 30],
        ['d', 20],
      ] as const) {
        await store.add(task(id, { changedAt, contextId: id < 'c' ? 'early' : 'late' }), 10, open);
      }
      await store.add(task('of-eve', { owner: 'id:eve' }), 10, open);
      await store.add(task('of-nobody', { owner: null }), 10, open);
      expect(await idsOf(store)).toEqual(['c', 'd', 'b', 'a']);
      expect(await idsOf(store, 'id:eve')).toEqual(['of-eve']);
      expect(await idsOf(store, 'id:ann', { contextId: 'early' })).toEqual(['b', 'a']);
      expect(await idsOf(store, 'id:ann', { state: 'completed' })).toEqual([]);
      expect(await idsOf(store, 'id:ann', { changedAfter: 10 })).toEqual(['c', 'd']);
      const page = await store.list('id:ann', { ...everything, limit: 2, below: { id: 'd', changedAt: 20 } });
      expect([page.tasks.map(({ id }) => id), page.total]).toEqual([['b', 'a'], 4]);
      expect(await idsOf(store, 'id:ann', { below: { id: 'b', changedAt: 10 } })).toEqual(['a']);
    });

    it('are only so many of one owner: the newest stay, and those that are not over', async () => {
      const store = await opened(type);
      const over = { state: 'completed' };
      await store.add(task('ann-1', { changedAt: 1 }), 2, open);
      await store.add(task('of-eve', { owner: 'id:eve' }), 2, open);
      for (const at of [2, 3, 4]) {
        await store.add(task(`ann-${String(at)}`, { changedAt: at, ...over }), 2, open);
        await store.add(task(`x-${String(at)}`, { changedAt: at, owner: null, ...over }), 2, open);
      }
      expect(await idsOf(store)).toEqual(['ann-4', 'ann-3', 'ann-1']);
      expect(await idsOf(store, 'id:eve')).toEqual(['of-eve']);
      expect([await store.find('x-2', 0), (await store.find('x-3', 0))?.id]).toEqual([undefined, 'x-3']);
    });

    it('are found by their state, whoever owns them', async () => {
      const store = await opened(type);
      await store.add(task('a'), 10, open);
      await store.add(task('b', { owner: null }), 10, open);
      await store.add(task('c', { state: 'completed' }), 10, open);
      expect((await store.inState('working', 9)).map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
      expect(await store.inState('working', 10)).toEqual([]);
    });

    it('go with their owner, and with their time', async () => {
      const store = await opened(type);
      for (const at of [1, 2, 3]) await store.add(task(`ann-${String(at)}`, { changedAt: at }), 10, open);
      await store.add(task('of-eve', { owner: 'id:eve', changedAt: 1 }), 10, open);
      expect(await store.purge(2)).toBe(2);
      expect(await idsOf(store)).toEqual(['ann-3', 'ann-2']);
      expect(await store.erase('id:ann')).toBe(2);
      expect(await idsOf(store)).toEqual([]);
      expect(await store.purge(2)).toBe(0);
    });
  },
);
