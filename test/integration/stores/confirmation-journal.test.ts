import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openStores, type StorageOptions } from '../../../src/adapters/stores/open-stores.ts';
import { StepRefused } from '../../../src/core/ports/step-refused.ts';
import type { ConfirmationJournal, JournalEntry } from '../../../src/core/ports/confirmation-journal.ts';

const entry: JournalEntry = {
  actionId: 'a1',
  callId: 'call_1',
  turnId: 't1',
  conversationId: 'c1',
  action: 'cancel_order',
  argumentsHash: 'f00d',
  arguments: '{"id":1002}',
  agent: 'coordinator',
  owner: 'sub:ann',
  requestedAt: 1_000,
};
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
  const path = await mkdtemp(join(tmpdir(), 'journal-'));
  cleanups.push(() => rm(path, { recursive: true, force: true }));
  return { type: 'embedded', path };
}

describe.each<readonly [string, () => Promise<StorageOptions>]>([
  ['InMemoryConfirmationJournal', inMemory],
  ['SqlConfirmationJournal on SQLite', embedded],
  ...(hasPostgres ? [['SqlConfirmationJournal on PostgreSQL', postgres] as const] : []),
])('%s (contract/confirmations.md#the-journal)', (_name, storage) => {
  async function openJournal(): Promise<ConfirmationJournal> {
    const journal = (await openStores(await storage())).journal;
    cleanups.push(() => journal.close());
    return journal;
  }

  it('finds what was requested, with every field', async () => {
    const journal = await openJournal();
    await journal.requested(entry);
    await journal.requested({ ...entry, actionId: 'a2', owner: null });
    expect(await journal.find('a1')).toEqual({
      ...entry,
      state: 'requested',
      answer: null,
      answeredBy: null,
      editedArguments: null,
      outcome: null,
      call: null,
      retries: 0,
      path: '',
      answeredWho: null,
      answeredAt: null,
      executingAt: null,
      doneAt: null,
    });
    expect((await journal.find('a2'))?.owner).toBeNull();
    expect(await journal.find('a3')).toBeUndefined();
  });

  // proves wire-11-72
  it('closes a question that is withdrawn, whether it comes before or after, and no answered one', async () => {
    const journal = await openJournal();
    const over = { ...entry, state: 'done', answer: 'cancelled', answeredBy: 'system', outcome: 'cancelled' };
    await journal.requested(entry);
    await journal.withdrawn(entry, 5);
    expect(await journal.find('a1')).toMatchObject({ ...over, answeredAt: 5, doneAt: 5 });
    const late = { ...entry, actionId: 'a2' };
    await Promise.all([journal.withdrawn(late, 6), expect(journal.requested(late)).rejects.toThrow(StepRefused)]);
    expect(await journal.find('a2')).toMatchObject({ ...over, actionId: 'a2', doneAt: 6 });
    await expect(journal.answered('a2', { answer: 'approved', by: 'user' }, 7)).rejects.toThrow(StepRefused);
    const answered = { ...entry, actionId: 'a3' };
    await journal.requested(answered);
    await journal.answered('a3', { answer: 'approved', by: 'user' }, 8);
    await journal.withdrawn(answered, 9);
    expect(await journal.find('a3')).toMatchObject({ state: 'answered', answer: 'approved' });
  });

  it('keeps who answered, and the arguments as the user changed them beside those that were shown', async () => {
    const journal = await openJournal();
    await journal.requested(entry);
    const edited = { arguments: '{"caseId":43}', argumentsHash: 'h43' };
    await journal.answered('a1', { answer: 'approved', by: 'user', edited }, 2_000);
    expect(await journal.find('a1')).toMatchObject({
      arguments: entry.arguments,
      editedArguments: '{"caseId":43}',
      answeredBy: 'user',
    });
    await journal.requested({ ...entry, actionId: 'a2', callId: 'call_2' });
    await journal.answered('a2', { answer: 'approved', by: 'rule' }, 2_000);
    expect(await journal.find('a2')).toMatchObject({ answeredBy: 'rule', editedArguments: null });
  });

  // proves service-2.9-99
  it('names by the pseudonym who answers a question of a user whose data was erased meanwhile', async () => {
    const journal = await openJournal();
    await journal.requested({ ...entry, owner: 'id:ann' });
    await journal.requested({ ...entry, actionId: 'a2', callId: 'call_2', owner: 'id:bob' });
    await journal.rename('id:ann', 'erased:x');
    for (const id of ['a1', 'a2']) {
      const who = id === 'a1' ? 'id:ann' : 'id:bob';
      await journal.answered(id, { answer: 'approved', by: 'user', who }, 2_000);
    }
    expect(await journal.find('a1')).toMatchObject({ owner: 'erased:x', answeredWho: 'erased:x' });
    expect(await journal.find('a2')).toMatchObject({ owner: 'id:bob', answeredWho: 'id:bob' });
  });

  it('finds the calls of an owner that ran lately or run, with the arguments that ran', async () => {
    const journal = await openJournal();
    const { action, arguments: json } = entry;
    const ran = async (
      id: string,
      more: Partial<JournalEntry>,
      end: 'succeeded' | 'failed' | 'cancelled' | undefined,
    ) => {
      await journal.requested({ ...entry, actionId: id, callId: id, ...more });
      const edited = { arguments: json, argumentsHash: 'h' };
      const isEdited = more.arguments !== undefined;
      await journal.answered(
        id,
        { answer: 'approved', by: 'user', ...(isEdited ? { edited } : {}), executing: {} },
        2_000,
      );
      if (end !== undefined) await journal.done(id, end, 3_000);
    };
    await ran('done', { requestedAt: 1 }, 'succeeded');
    await ran('tried', { requestedAt: 2 }, 'failed');
    await ran('edited', { requestedAt: 3, arguments: '{"id":1}' }, 'succeeded');
    await ran('running', { requestedAt: 4 }, undefined);
    await ran('stopped', { requestedAt: 5 }, 'cancelled');
    await ran('others', { requestedAt: 6, owner: 'sub:bob' }, 'succeeded');
    await journal.requested({ ...entry, actionId: 'open', callId: 'open', requestedAt: 7 });
    const found = async (since: number, owner = 'sub:ann') =>
      (await journal.ranSince({ owner, action, arguments: json }, since)).map(({ actionId }) => actionId);
    expect(await found(3_000)).toEqual(['running', 'edited', 'tried', 'done']);
    expect(await found(3_001)).toEqual(['running']);
    expect(await found(0, 'sub:bob')).toEqual(['others']);
    expect(await journal.ranSince({ owner: 'sub:ann', action, arguments: '{"id":1}' }, 0)).toEqual([]);
  });

  it('moves an approved call through answered, executing and done', async () => {
    const journal = await openJournal();
    await journal.requested(entry);
    await journal.answered('a1', { answer: 'approved', by: 'user' }, 2_000);
    expect(await journal.find('a1')).toMatchObject({ state: 'answered', answer: 'approved', outcome: null });
    await journal.executing('a1', 3_000);
    expect(await journal.find('a1')).toMatchObject({ state: 'executing', answer: 'approved', outcome: null });
    await journal.done('a1', 'succeeded', 4_000);
    expect(await journal.find('a1')).toMatchObject({ state: 'done', answer: 'approved', outcome: 'succeeded' });
  });

  it.each([
    ['declined', 'declined'],
    ['expired', 'cancelled'],
    ['cancelled', 'cancelled'],
  ] as const)('ends a call that was answered with %s as %s', async (answer, outcome) => {
    const journal = await openJournal();
    await journal.requested(entry);
    await journal.answered('a1', { answer, by: 'user' }, 2_000);
    expect(await journal.find('a1')).toMatchObject({ state: 'done', answer, outcome });
    expect(await journal.unfinished()).toEqual([]);
  });

  it('tells how many questions wait, and since when the oldest does', async () => {
    const journal = await openJournal();
    expect(await journal.waiting()).toEqual({ count: 0, oldestAt: null });
    await journal.requested({ ...entry, actionId: 'a2', callId: 'call_2', requestedAt: 2_000 });
    await journal.requested(entry);
    expect(await journal.waiting()).toEqual({ count: 2, oldestAt: 1_000 });
    await journal.answered('a1', { answer: 'approved', by: 'user', executing: {} }, 3_000);
    expect(await journal.waiting()).toEqual({ count: 1, oldestAt: 2_000 });
  });

  // proves wire-5-18
  it('lets one of two answers at the same moment win', async () => {
    const journal = await openJournal();
    await journal.requested(entry);
    const answers = await Promise.allSettled([
      journal.answered('a1', { answer: 'approved', by: 'user' }, 2_000),
      journal.answered('a1', { answer: 'declined', by: 'user' }, 2_000),
    ]);
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await journal.find('a1')).toMatchObject({
      answer: answers[0].status === 'fulfilled' ? 'approved' : 'declined',
    });
  });

  // proves wire-5-23
  it('takes no step twice and none out of order', async () => {
    const journal = await openJournal();
    await expect(journal.answered('a1', { answer: 'approved', by: 'user' }, 1)).rejects.toThrow('unknown');
    await journal.requested(entry);
    await expect(journal.requested(entry)).rejects.toThrow();
    await expect(journal.executing('a1', 2)).rejects.toThrow('already taken');
    await journal.answered('a1', { answer: 'approved', by: 'user' }, 2);
    await journal.executing('a1', 3);
    await expect(journal.executing('a1', 4)).rejects.toThrow('already taken');
    await expect(journal.answered('a1', { answer: 'declined', by: 'user' }, 4)).rejects.toThrow('already taken');
    await journal.done('a1', 'failed', 5);
    await expect(journal.done('a1', 'succeeded', 6)).rejects.toThrow('already taken');
    expect(await journal.find('a1')).toMatchObject({ state: 'done', outcome: 'failed' });
  });

  // proves wire-5-22
  it('never runs a call that was declined', async () => {
    const journal = await openJournal();
    await journal.requested(entry);
    await journal.answered('a1', { answer: 'declined', by: 'user' }, 2);
    await expect(journal.executing('a1', 3)).rejects.toThrow('already taken');
  });

  it('keeps with a running call what it takes to make it again, and how often it was', async () => {
    const journal = await openJournal();
    await journal.requested(entry);
    await journal.answered('a1', { answer: 'approved', by: 'user' }, 2);
    await expect(journal.retried('a1')).rejects.toThrow('already taken');
    await journal.executing('a1', 3, '{"user":"ann"}');
    await journal.retried('a1');
    await journal.retried('a1');
    expect(await journal.find('a1')).toMatchObject({ state: 'executing', call: '{"user":"ann"}', retries: 2 });
    await journal.done('a1', 'succeeded', 4);
    await expect(journal.retried('a1')).rejects.toThrow('already taken');
    // The call names its user, so it is removed when it is done.
    expect(await journal.find('a1')).toMatchObject({ state: 'done', call: null, retries: 2 });
  });

  // proves wire-5-44
  it('lets one of all rows of a call be approved or declined, and shows which (a snapshot restored many times)', async () => {
    const journal = await openJournal();
    const copies = ['a1', 'a2', 'a3', 'a4', 'a5'];
    const decided = async (): Promise<readonly string[]> =>
      (await journal.ofCall('call_1'))
        .filter(({ answer }) => answer === 'approved' || answer === 'declined')
        .map(({ actionId }) => actionId);
    for (const actionId of copies) await journal.requested({ ...entry, actionId });
    await journal.requested({ ...entry, actionId: 'other', callId: 'call_2' });
    expect(await decided()).toEqual([]);
    await journal.answered('a5', { answer: 'expired', by: 'system' }, 2);
    expect(await decided()).toEqual([]);
    const answers = await Promise.allSettled(
      copies.map((actionId, index) =>
        journal.answered(actionId, { answer: index % 2 === 0 ? 'approved' : 'declined', by: 'user' }, 3),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = copies[answers.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    expect(await decided()).toEqual([winner]);
    for (const actionId of copies.filter((copy) => copy !== winner)) {
      await expect(journal.executing(actionId, 4)).rejects.toThrow('already taken');
    }
    await journal.answered('other', { answer: 'approved', by: 'user' }, 4);
    // The other rows of the call can still be closed, but not decided.
    await journal.answered('a2', { answer: 'cancelled', by: 'system' }, 5);
    expect(await decided()).toEqual([winner]);
  });

  it('lists what is not done, oldest first', async () => {
    const journal = await openJournal();
    await journal.requested({ ...entry, actionId: 'late', requestedAt: 30 });
    await journal.requested({ ...entry, actionId: 'early', requestedAt: 10 });
    await journal.requested({ ...entry, actionId: 'ended', requestedAt: 20 });
    await journal.answered('early', { answer: 'approved', by: 'user' }, 40);
    await journal.executing('early', 50);
    await journal.done('ended', 'cancelled', 40);
    const rows = await journal.unfinished();
    expect(rows.map((row) => [row.actionId, row.state])).toEqual([
      ['early', 'executing'],
      ['late', 'requested'],
    ]);
  });

  it('drops the oldest calls of an owner that nobody has approved, and purges what was withdrawn', async () => {
    const journal = await openJournal();
    const end = async (id: string, answer: 'approved' | 'declined' | 'cancelled', more: Partial<JournalEntry> = {}) => {
      await journal.requested({ ...entry, path: 'mcp', actionId: id, callId: id, requestedAt: Number(id), ...more });
      await journal.answered(id, { answer, by: 'user' }, Number(id));
      if (answer === 'approved') await journal.done(id, 'succeeded', Number(id));
    };
    await end('1', 'approved');
    await end('2', 'cancelled');
    await end('3', 'declined');
    await end('4', 'cancelled', { path: 'turn/call' });
    await end('5', 'cancelled', { owner: 'sub:bob' });
    await end('6', 'declined');
    await end('7', 'cancelled');
    await journal.requested({ ...entry, path: 'mcp', actionId: '8', callId: '8' });
    const left = async (): Promise<readonly string[]> => {
      const ids = ['1', '2', '3', '4', '5', '6', '7', '8'];
      const rows = await Promise.all(ids.map((id) => journal.find(id)));
      return rows.flatMap((row) => (row === undefined ? [] : [row.actionId]));
    };
    expect(await journal.dropUnapproved('sub:ann', 2)).toBe(2);
    expect(await left()).toEqual(['1', '4', '5', '6', '7', '8']);
    expect(await journal.purge(1, 7)).toBe(1);
    expect(await left()).toEqual(['1', '4', '6', '7', '8']);
  });

  // proves service-8-51
  it('purges what users have withdrawn who are not signed in', async () => {
    const journal = await openJournal();
    const end = async (id: string, answer: 'declined' | 'cancelled', owner: string | null) => {
      await journal.requested({ ...entry, path: 'turn/call', actionId: id, callId: id, owner });
      await journal.answered(id, { answer, by: 'user' }, 5);
    };
    await end('1', 'cancelled', null);
    await end('2', 'cancelled', 'anon:x');
    await end('3', 'declined', 'anon:x');
    await end('4', 'cancelled', 'sub:ann');
    expect(await journal.purge(1, 7)).toBe(2);
    const rows = await Promise.all(['1', '2', '3', '4'].map((id) => journal.find(id)));
    expect(rows.map((row) => row?.actionId)).toEqual([undefined, undefined, '3', '4']);
  });

  it('purges only what was done before the given time', async () => {
    const journal = await openJournal();
    for (const actionId of ['old', 'new', 'open']) await journal.requested({ ...entry, actionId, callId: actionId });
    await journal.answered('old', { answer: 'declined', by: 'user' }, 100);
    await journal.answered('new', { answer: 'declined', by: 'user' }, 200);
    await journal.purge(200);
    expect(await journal.ofCall('old')).toEqual([]);
    expect(await journal.ofCall('new')).toMatchObject([{ answer: 'declined' }]);
    expect(await journal.find('old')).toBeUndefined();
    expect(await journal.find('new')).toBeDefined();
    expect(await journal.find('open')).toBeDefined();
  });

  it('keeps where in its turn a call stands, who answered it, and when it took which step', async () => {
    const journal = await openJournal();
    await journal.requested({ ...entry, path: 'coordinator/0/call/call_1' });
    await journal.answered('a1', { answer: 'approved', by: 'user', who: 'sub:ann' }, 2_000);
    await journal.executing('a1', 3_000);
    await journal.done('a1', 'succeeded', 4_000);
    expect(await journal.find('a1')).toMatchObject({
      path: 'coordinator/0/call/call_1',
      answeredWho: 'sub:ann',
      answeredAt: 2_000,
      executingAt: 3_000,
      doneAt: 4_000,
    });
  });

  it('approves and begins a call in one step', async () => {
    const journal = await openJournal();
    await journal.requested(entry);
    const executing = { call: '{"user":"ann"}' };
    await journal.answered('a1', { answer: 'approved', by: 'user', executing }, 2_000);
    expect(await journal.find('a1')).toMatchObject({
      state: 'executing',
      answer: 'approved',
      call: '{"user":"ann"}',
      answeredAt: 2_000,
      executingAt: 2_000,
    });
    await expect(journal.executing('a1', 3_000)).rejects.toThrow(StepRefused);
  });

  it('ends a row only from the states its caller names', async () => {
    const journal = await openJournal();
    await journal.requested(entry);
    await journal.answered('a1', { answer: 'approved', by: 'user', executing: {} }, 2);
    await expect(journal.done('a1', 'cancelled', 3, ['requested', 'answered'])).rejects.toThrow(StepRefused);
    expect(await journal.find('a1')).toMatchObject({ state: 'executing', doneAt: null });
    await journal.done('a1', 'unknown', 4, ['executing']);
    expect(await journal.find('a1')).toMatchObject({ state: 'done', outcome: 'unknown', doneAt: 4 });
  });

  it('refuses with StepRefused, so that a refusal is told from a store that failed', async () => {
    const journal = await openJournal();
    await journal.requested(entry);
    await journal.requested({ ...entry, actionId: 'a2' });
    await journal.answered('a1', { answer: 'approved', by: 'user' }, 2);
    const refused = [
      journal.requested(entry),
      journal.answered('a1', { answer: 'declined', by: 'user' }, 3),
      journal.answered('a2', { answer: 'approved', by: 'user' }, 3),
      journal.answered('a3', { answer: 'approved', by: 'user' }, 3),
      journal.retried('a1'),
      journal.done('a3', 'failed', 3),
    ];
    for (const refusal of await Promise.allSettled(refused)) {
      expect(refusal).toMatchObject({ status: 'rejected', reason: expect.any(StepRefused) as unknown });
    }
  });

  it('finds the rows of a call and of a turn, oldest first', async () => {
    const journal = await openJournal();
    await journal.requested({ ...entry, actionId: 'b', requestedAt: 20 });
    await journal.requested({ ...entry, actionId: 'c', requestedAt: 10, turnId: 't2' });
    await journal.requested({ ...entry, actionId: 'a', requestedAt: 20, callId: 'call_2' });
    expect((await journal.ofCall('call_1')).map((row) => row.actionId)).toEqual(['c', 'b']);
    expect((await journal.ofTurn('t1')).map((row) => row.actionId)).toEqual(['a', 'b']);
    expect(await journal.ofTurn('t3')).toEqual([]);
  });
});
