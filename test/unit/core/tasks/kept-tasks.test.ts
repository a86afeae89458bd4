import { describe, expect, it } from 'vitest';
import { openStores } from '../../../../src/adapters/stores/open-stores.ts';
import { KeptTasks, taskKeptMs } from '../../../../src/core/tasks/kept-tasks.ts';
import { recordingLogger } from '../../../support/quiet.ts';
import { testRecordSealer } from '../../../support/test-sealer.ts';

const task = (id: string) => ({
  ...{ id, contextId: 'c', owner: 'id:ann', turnId: 't', state: 'working' },
  content: 'the order of Ann',
});

async function kept() {
  const { tasks: store } = await openStores({ type: 'memory' });
  let now = 1_000_000;
  const clock = { now: () => now };
  const log = recordingLogger();
  const tasks = new KeptTasks({ store, sealer: testRecordSealer(), clock, log, open: ['working'] });
  return { store, tasks, log, later: (ms: number) => (now += ms) };
}

describe('kept tasks (contract/a2a-server.md#whose-tasks)', () => {
  // proves service-4.8-25
  it('are sealed in the store, each for itself', async () => {
    const { store, tasks, log } = await kept();
    await tasks.add(task('one'));
    const stored = await store.find('one', 0);
    expect(stored?.content).not.toContain('Ann');
    expect((await tasks.find('one'))?.content).toBe('the order of Ann');
    // What was sealed for one task does not open for another.
    await store.add({ ...task('two'), changedAt: 1_000_000, content: stored?.content ?? '' }, 10, ['working']);
    expect(await tasks.find('two')).toBeUndefined();
    expect((await tasks.list('id:ann', { limit: 10 })).tasks.map(({ id }) => id)).toEqual(['one']);
    expect(log.lines.map(({ message }) => message)).toContain(
      'a task cannot be opened: were the keys of dataProtection changed?',
    );
  });

  // proves service-4.8-24
  it('are there for 24 h after they last changed', async () => {
    const { tasks, later } = await kept();
    await tasks.add(task('one'));
    later(taskKeptMs - 1);
    expect((await tasks.find('one'))?.id).toBe('one');
    await tasks.update({ ...task('one'), state: 'completed' });
    later(taskKeptMs - 1);
    expect((await tasks.find('one'))?.state).toBe('completed');
    later(1);
    expect(await tasks.find('one')).toBeUndefined();
    expect(await tasks.list('id:ann', { limit: 10 })).toEqual({ tasks: [], total: 0 });
  });

  // proves service-4.8-24
  it('are 1,000 of a user, and are listed by pages', async () => {
    const { tasks, later } = await kept();
    for (let made = 0; made < 1_002; made += 1) {
      later(1);
      await tasks.add({ ...task(`task-${String(made)}`), state: 'completed' });
    }
    const page = await tasks.list('id:ann', { limit: 999 });
    expect([page.total, page.tasks.length, page.tasks[0]?.id]).toEqual([1_000, 999, 'task-1001']);
    const rest = await tasks.list('id:ann', { limit: 999, below: page.next });
    expect([rest.tasks.map(({ id }) => id), rest.next]).toEqual([['task-2'], undefined]);
  });

  // proves service-4.8-24
  it('are 10,000 of all callers without a name together', async () => {
    const { store, tasks, later } = await kept();
    for (let made = 0; made < 10_001; made += 1) {
      later(1);
      await tasks.add({ ...task(`task-${String(made)}`), owner: null, state: 'completed' });
    }
    expect(await store.find('task-0', 0)).toBeUndefined();
    expect((await store.find('task-1', 0))?.id).toBe('task-1');
  });
});
