import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readHistoryProvider } from '../../../src/adapters/plugin-directory/read/read-history-provider.ts';
import { openStores } from '../../../src/adapters/stores/open-stores.ts';
import type { Stores } from '../../../src/adapters/stores/stores.ts';
import { ConversationsOfPlugin } from '../../../src/core/conversations/conversations-of-plugin.ts';
import type { ConversationAddition, ConversationBounds } from '../../../src/core/ports/conversation-store.ts';
import { StepRefused } from '../../../src/core/ports/step-refused.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';
import { keptInMap } from '../../support/kept-in-map.ts';
import { recordingLogger } from '../../support/quiet.ts';

const postgres = databasesOfRun();

const bounds: ConversationBounds = {
  conversationsPerUser: 3,
  messagesPerConversation: 6,
  lengthPerConversation: 100,
};

function turn(id: string, turnId: string, more: Partial<ConversationAddition> & { readonly at?: number } = {}) {
  const { at = 1, ...rest } = more;
  const addition: ConversationAddition = {
    conversation: { id, title: `title of ${id}`, startedAt: at, lastAt: at },
    owner: 'id:ann',
    turn: { turnId, text: `text of ${turnId}`, messages: 2 },
    ...rest,
  };
  return addition;
}

async function openSqlite(): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-conversations-'));
  const stores = await openStores({ type: 'embedded', path: folder });
  onTestFinished(async () => {
    await stores.journal.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return stores;
}

async function openPostgres(): Promise<Stores> {
  const stores = await openStores(await postgres());
  onTestFinished(() => stores.journal.close());
  return stores;
}

/** A plugin that keeps conversations as its guide says, and the storage beside it that remembers deleted conversations. */
async function openPlugin(): Promise<Stores> {
  const stores = await openStores({ type: 'memory' });
  const provider = keptInMap();
  const keeper = readHistoryProvider({ chatHistoryProvider: provider }, 'archive', (path, fault) => {
    throw new Error(`${path} ${fault}`);
  });
  if (keeper === undefined) throw new Error('the plugin keeps nothing');
  return {
    ...stores,
    conversations: new ConversationsOfPlugin({ keeper, deleted: stores.conversations, log: recordingLogger() }),
  };
}

describe.each<readonly [string, () => Promise<Stores>]>([
  ['in memory', () => openStores({ type: 'memory' })],
  ['in SQLite', openSqlite],
  ...(hasPostgres ? [['in PostgreSQL', openPostgres] as const] : []),
  ['by a plugin', openPlugin],
])('kept conversations %s (contract/sessions.md#kept-conversations)', (_where, open) => {
  const turnsOf = async ({ conversations }: Stores, id: string, owner = 'id:ann'): Promise<unknown> =>
    (await conversations.read(owner, id))?.turns.map(({ turnId, text }) => [turnId, text]);

  // proves service-2.9-76
  it('a turn that is added again is there once, and what was said before it only where nothing else is', async () => {
    const stores = await open();
    const { conversations } = stores;
    const before = { turnId: 'before', text: 'earlier', messages: 1 };
    await conversations.add(turn('c', 't1', { before, at: 5 }), bounds);
    await conversations.add(turn('c', 't1', { before, at: 5 }), bounds);
    await conversations.add(turn('c', 't2', { before, at: 9 }), bounds);
    expect(await turnsOf(stores, 'c')).toEqual([
      ['before', 'earlier'],
      ['t1', 'text of t1'],
      ['t2', 'text of t2'],
    ]);
    expect(await conversations.page('id:ann', undefined, 9)).toEqual([
      { id: 'c', title: 'title of c', startedAt: 5, lastAt: 9 },
    ]);
  });

  // proves service-2.9-76
  it('a copy of a turn takes its place, whichever of the two comes first', async () => {
    const stores = await open();
    const { conversations } = stores;
    await conversations.add(turn('c', 'original'), bounds);
    await conversations.add(turn('c', 'copy', { replaces: ['original'] }), bounds);
    await conversations.add(turn('c', 'original'), bounds);
    expect(await turnsOf(stores, 'c')).toEqual([['copy', 'text of copy']]);
    await conversations.add(turn('d', 'copy', { replaces: ['original'] }), bounds);
    await conversations.add(turn('d', 'original'), bounds);
    expect(await turnsOf(stores, 'd')).toEqual([['copy', 'text of copy']]);
  });

  // proves service-2.9-76, wire-22-26
  it('a copy of a turn that took the place of another one takes the place of both', async () => {
    const stores = await open();
    const { conversations } = stores;
    await conversations.add(turn('c', 'first'), bounds);
    await conversations.add(turn('c', 'replaced'), bounds);
    await conversations.add(turn('c', 'copy', { replaces: ['waiting', 'replaced'] }), bounds);
    await conversations.add(turn('c', 'waiting'), bounds);
    expect(await turnsOf(stores, 'c')).toEqual([
      ['first', 'text of first'],
      ['copy', 'text of copy'],
    ]);
  });

  // proves service-2.9-80
  it('the oldest turns of a conversation go first, and the last stays whatever its length', async () => {
    const stores = await open();
    const { conversations } = stores;
    for (const id of ['t1', 't2', 't3', 't4']) await conversations.add(turn('c', id), bounds);
    expect(await turnsOf(stores, 'c')).toEqual(['t2', 't3', 't4'].map((id) => [id, `text of ${id}`]));
    const long = { turnId: 't5', text: 'x'.repeat(500), messages: 2 };
    await conversations.add(turn('c', 't5', { turn: long }), bounds);
    expect(await turnsOf(stores, 'c')).toEqual([['t5', long.text]]);
  });

  // proves service-2.9-80, service-2.9-90
  it('the oldest conversations of a user go first, and no other user’s', async () => {
    const stores = await open();
    const { conversations } = stores;
    await conversations.add(turn('other', 't', { owner: 'id:bob' }), bounds);
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) {
      await conversations.add(turn(id, `t${id}`, { at: 10 + index }), bounds);
    }
    expect((await conversations.page('id:ann', undefined, 9)).map(({ id }) => id)).toEqual(['d', 'c', 'b']);
    expect((await conversations.page('id:bob', undefined, 9)).map(({ id }) => id)).toEqual(['other']);
    await expect(conversations.add(turn('a', 'late', { at: 20 }), bounds)).rejects.toBeInstanceOf(StepRefused);
    expect(await conversations.page('id:ann', { lastAt: 13, id: 'd' }, 1)).toMatchObject([{ id: 'c' }]);
  });

  // proves service-2.9-71
  it('a conversation of the same moment stands on one page alone', async () => {
    const { conversations } = await open();
    for (const id of ['a', 'b', 'c']) await conversations.add(turn(id, `t${id}`), bounds);
    const first = await conversations.page('id:ann', undefined, 2);
    const second = await conversations.page('id:ann', first[1], 2);
    expect([...first, ...second].map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });

  // proves service-2.9-73
  it('another owner neither reads, renames, deletes nor adds', async () => {
    const stores = await open();
    const { conversations } = stores;
    await conversations.add(turn('c', 't'), bounds);
    expect(await conversations.read('id:bob', 'c')).toBeUndefined();
    expect(await conversations.retitle('id:bob', 'c', { text: 'x', by: 'user' })).toBe(false);
    expect(await conversations.delete('id:bob', 'c', 2)).toBe(false);
    // The stores may refuse this turn. A plugin keeps users apart, so there the turn belongs to another conversation of bob.
    await conversations.add(turn('c', 'u', { owner: 'id:bob' }), bounds).catch((error: unknown) => {
      expect(error).toBeInstanceOf(StepRefused);
    });
    expect(await turnsOf(stores, 'c')).toEqual([['t', 'text of t']]);
  });

  // proves service-2.9-78
  it('the title of a user stays when a model proposes one', async () => {
    const { conversations } = await open();
    await conversations.add(turn('c', 't'), bounds);
    expect(await conversations.retitle('id:ann', 'c', { text: 'of a model', by: 'model' })).toBe(true);
    expect(await conversations.retitle('id:ann', 'c', { text: 'of the user', by: 'user' })).toBe(true);
    expect(await conversations.retitle('id:ann', 'c', { text: 'of a model', by: 'model' })).toBe(false);
    expect(await conversations.page('id:ann', undefined, 9)).toMatchObject([{ title: 'of the user' }]);
  });

  // proves service-2.9-75
  it('what was deleted takes nothing more, until its id is forgotten', async () => {
    const { conversations } = await open();
    await conversations.add(turn('c', 't'), bounds);
    expect(await conversations.delete('id:ann', 'c', 7)).toBe(true);
    expect(await conversations.delete('id:ann', 'c', 7)).toBe(false);
    expect([await conversations.isDeleted('c'), await conversations.isDeleted('d')]).toEqual([true, false]);
    await expect(conversations.add(turn('c', 'late'), bounds)).rejects.toBeInstanceOf(StepRefused);
    await conversations.purge(0, 7, 8);
    expect(await conversations.isDeleted('c')).toBe(true);
    await conversations.purge(0, 8, 8);
    expect(await conversations.isDeleted('c')).toBe(false);
  });

  // proves service-2.9-85
  it('an erased user has none, those that were never stored included', async () => {
    const { conversations } = await open();
    await conversations.add(turn('a', 't', { at: 3 }), bounds);
    await conversations.add(turn('b', 't', { at: 4 }), bounds);
    await conversations.add(turn('c', 't', { at: 4, owner: 'id:bob' }), bounds);
    expect(await conversations.erase('id:ann', ['b', 'unborn'], 5)).toBe(2);
    expect(await conversations.page('id:ann', undefined, 9)).toEqual([]);
    await expect(conversations.add(turn('unborn', 't', { at: 4 }), bounds)).rejects.toBeInstanceOf(StepRefused);
    expect(await conversations.page('id:bob', undefined, 9)).toMatchObject([{ id: 'c' }]);
  });

  // proves service-2.9-90
  it('a purge deletes and counts what is too old, where it is not a plugin’s to decide', async () => {
    const { conversations } = await open();
    await conversations.add(turn('c', 't', { at: 4 }), bounds);
    expect(await conversations.purge(4, 0, 6)).toBe(0);
    const isPlugin = conversations instanceof ConversationsOfPlugin;
    expect(await conversations.purge(5, 0, 6)).toBe(isPlugin ? 0 : 1);
    expect(await conversations.page('id:ann', undefined, 9)).toHaveLength(isPlugin ? 1 : 0);
  });

  // proves service-2.9-87
  it('an erasure is found by any of the marks, the last one first, until it is forgotten', async () => {
    const { erasures } = await open();
    await erasures.mark('old key', 3);
    await erasures.mark('new key', 8);
    await erasures.mark('old key', 5);
    expect(await erasures.erasedAt(['old key'])).toBe(5);
    expect(await erasures.erasedAt(['old key', 'new key', 'no key'])).toBe(8);
    expect(await erasures.erasedAt(['no key'])).toBeUndefined();
    await erasures.forget(8);
    expect([await erasures.erasedAt(['old key']), await erasures.erasedAt(['new key'])]).toEqual([undefined, 8]);
  });
});
