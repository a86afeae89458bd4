import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { InMemoryMemoryStore } from '../../../src/adapters/stores/in-memory/in-memory-memory-store.ts';
import { openStores, type StorageOptions } from '../../../src/adapters/stores/open-stores.ts';
import type { FactVectorStore, KeptVector } from '../../../src/core/ports/fact-vector-store.ts';
import type { Fact, FactChange, MemoryStore, PendingCapture } from '../../../src/core/ports/memory-store.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';

const postgres = databasesOfRun();
const ann = 'tenant:north/sub:ann';
const sameNameElsewhere = 'tenant:south/sub:ann';

function fact(id: string, changes: Partial<Fact> = {}): Fact {
  return { id, kind: 'fact', text: `text of ${id}`, hash: id, turnId: 't', conversationId: 'c', at: 100, ...changes };
}

function capture(turnId: string, changes: Partial<PendingCapture> = {}): PendingCapture {
  return { turnId, conversationId: 'c', userKey: ann, words: `said in ${turnId}`, askedAt: 1_000, ...changes };
}

const change = (changes: Partial<FactChange>): FactChange => ({ add: [], replace: [], remove: [], ...changes });

async function embedded(): Promise<StorageOptions> {
  const path = await mkdtemp(join(tmpdir(), 'memory-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return { type: 'embedded', path };
}

async function opened(storage: StorageOptions): Promise<MemoryStore> {
  const { memory, journal } = await openStores(storage);
  onTestFinished(() => journal.close());
  return memory;
}

async function openedWithVectors(): Promise<{ readonly store: MemoryStore; readonly vectors: FactVectorStore }> {
  const { memory, factVectors, journal } = await openStores(await embedded());
  onTestFinished(() => journal.close());
  if (factVectors === undefined) throw new Error('embedded stores keep vectors');
  return { store: memory, vectors: factVectors };
}

const byHash = (one: KeptVector, other: KeptVector): number => (one.hash < other.hash ? -1 : 1);

let turns = 0;

/** Makes a change as a separate turn does. */
async function make(store: MemoryStore, changes: Partial<FactChange>, userKey = ann): Promise<boolean> {
  turns += 1;
  const turnId = `turn ${String(turns)}`;
  await store.pend(capture(turnId, { userKey, askedAt: 9_000_000 }));
  return store.change(userKey, change(changes), turnId);
}

const idsOf = async (store: MemoryStore, userKey = ann): Promise<readonly string[]> =>
  (await store.facts(userKey)).map(({ id }) => id);

describe.each<readonly [string, () => Promise<StorageOptions>]>([
  ['InMemoryMemoryStore', (): Promise<StorageOptions> => Promise.resolve({ type: 'memory' })],
  ['SqlMemoryStore on SQLite', embedded],
  ...(hasPostgres ? [['SqlMemoryStore on PostgreSQL', postgres] as const] : []),
])('%s (contract/memory.md#storage)', (_name, storage) => {
  // proves service-2.10-02
  it('gives the facts of one user alone, the newest first', async () => {
    const store = await opened(await storage());
    await make(store, { add: [fact('old', { at: 1 }), fact('new', { at: 3 }), fact('middle', { at: 2 })] });
    await make(store, { add: [fact('hers', { kind: 'identity' })] }, sameNameElsewhere);
    expect(await idsOf(store)).toEqual(['new', 'middle', 'old']);
    expect(await store.facts(sameNameElsewhere)).toEqual([fact('hers', { kind: 'identity' })]);
    expect(await store.facts('sub:nobody')).toEqual([]);
  });

  it('puts a fact in the place of another, and takes one out, for its user alone', async () => {
    const store = await opened(await storage());
    await make(store, { add: [fact('tea'), fact('north')] });
    await make(store, { add: [fact('hers')] }, sameNameElsewhere);
    expect(await make(store, { replace: [{ id: 'tea', by: fact('coffee', { at: 200 }) }], remove: ['north'] })).toBe(
      true,
    );
    expect(await idsOf(store)).toEqual(['coffee']);
    await make(store, { replace: [{ id: 'hers', by: fact('mine', { at: 300 }) }], remove: ['hers'] });
    expect(await idsOf(store, sameNameElsewhere)).toEqual(['hers']);
  });

  it('forgets a user who is erased, and nobody else', async () => {
    const store = await opened(await storage());
    await make(store, { add: [fact('tea')] });
    await make(store, { add: [fact('hers')] }, sameNameElsewhere);
    await store.pend(capture('waiting', { userKey: ann, askedAt: 9_000_000 }));
    await store.erase(ann, undefined, 9_500_000);
    await store.forget(ann);
    expect([await idsOf(store), await store.isPending('waiting')]).toEqual([[], false]);
    expect(await idsOf(store, sameNameElsewhere)).toEqual(['hers']);
    // After `forget` the store takes captures of the user again, also for a message that is older than the erasure.
    expect(await store.pend(capture('later', { userKey: ann, askedAt: 9_400_000 }))).toBe(true);
  });

  it('settles a capture once, with its change or not at all', async () => {
    const store = await opened(await storage());
    expect(await store.pend(capture('one'))).toBe(true);
    expect([await store.pend(capture('one')), await store.isPending('one')]).toEqual([false, true]);
    expect(await store.pending()).toEqual([capture('one')]);
    expect(await store.change(ann, change({ add: [fact('first')] }), 'one')).toBe(true);
    expect(await store.change(ann, change({ add: [fact('second')] }), 'one')).toBe(false);
    expect([await store.pend(capture('one')), await store.isPending('one')]).toEqual([false, false]);
    expect([await idsOf(store), await store.pending()]).toEqual([['first'], []]);
    await store.pend(capture('two'));
    await store.drop('two');
    expect(await store.change(ann, change({ add: [fact('third')] }), 'two')).toBe(false);
  });

  // proves service-2.10-23
  it('erases a fact with what it took the place of, or all of a user, and tells how many counted', async () => {
    const store = await opened(await storage());
    await make(store, { add: [fact('tea'), fact('north'), fact('east')] });
    await make(store, { replace: [{ id: 'tea', by: fact('coffee', { at: 200 }) }] });
    await make(store, { add: [fact('hers')] }, sameNameElsewhere);
    expect(await store.erase(ann, 'hers', 1)).toBe(0);
    expect(await store.erase(ann, 'coffee', 1)).toBe(1);
    expect([...(await idsOf(store))].toSorted()).toEqual(['east', 'north']);
    expect([await store.erase(ann, undefined, 1), await store.erase(ann, undefined, 1)]).toEqual([2, 0]);
    expect([await idsOf(store), await idsOf(store, sameNameElsewhere)]).toEqual([[], ['hers']]);
  });

  // proves service-2.10-21
  it.each([
    ['erased one', (store: MemoryStore) => store.erase(ann, 'tea', 1_500)],
    ['erased all', (store: MemoryStore) => store.erase(ann, undefined, 1_500)],
    ['corrected one', (store: MemoryStore) => store.correct(ann, { id: 'tea', text: 'x', hash: 'x' }, 1_500)],
  ])('takes nothing from what was said before the user has %s', async (_what, act) => {
    const store = await opened(await storage());
    await make(store, { add: [fact('tea')] });
    await store.pend(capture('before'));
    await store.pend(capture('hers', { userKey: sameNameElsewhere }));
    await act(store);
    expect(await store.change(ann, change({ add: [fact('back')] }), 'before')).toBe(false);
    expect(await store.pend(capture('late', { askedAt: 1_400 }))).toBe(false);
    expect(await store.pend(capture('after', { askedAt: 1_600 }))).toBe(true);
    expect((await store.pending()).map(({ turnId }) => turnId)).toEqual(['hers', 'after']);
    expect(await idsOf(store)).not.toContain('back');
  });

  it('corrects the words of a fact of its user, under the same id', async () => {
    const store = await opened(await storage());
    await make(store, { add: [fact('tea')] });
    expect(await store.correct(sameNameElsewhere, { id: 'tea', text: 'stolen', hash: 's' }, 5)).toBe(false);
    expect(await store.correct(ann, { id: 'tea', text: 'Drinks coffee.', hash: 'h' }, 500)).toBe(true);
    expect(await store.facts(ann)).toEqual([fact('tea', { text: 'Drinks coffee.', hash: 'h', at: 500 })]);
  });

  it('deletes what is older than wanted, and tells how many facts', async () => {
    const store = await opened(await storage());
    await make(store, { add: [fact('old', { at: 10 }), fact('new', { at: 20 })] });
    await store.pend(capture('old one', { askedAt: 10 }));
    await store.drop('old one');
    expect(await store.purge({ facts: 20, captures: 20 })).toBe(1);
    expect(await idsOf(store)).toEqual(['new']);
  });
});

describe('SqlMemoryStore with vectors (contract/memory.md#prompt)', () => {
  const byModel = (hash: string) => ({ hash, numbers: Int8Array.of(-127, 5, 127) });

  it('keeps vectors by user and model, and a text that has none', async () => {
    const { store, vectors } = await openedWithVectors();
    await make(store, { add: [fact('tea'), fact('coffee')] });
    await make(store, { add: [fact('tea again', { hash: 'tea' })] }, sameNameElsewhere);
    await vectors.keepVectors(ann, 'one', [byModel('tea'), { hash: 'coffee', numbers: null }, byModel('unknown')]);
    expect((await vectors.vectors(ann, 'one')).toSorted(byHash)).toEqual([
      { hash: 'coffee', numbers: null },
      byModel('tea'),
    ]);
    expect([await vectors.vectors(ann, 'two'), await vectors.vectors(sameNameElsewhere, 'one')]).toEqual([[], []]);
    await vectors.keepVectors(ann, 'two', [byModel('tea')]);
    expect([(await vectors.vectors(ann, 'one')).length, await vectors.vectors(ann, 'two')]).toEqual([
      1,
      [byModel('tea')],
    ]);
  });

  // proves service-2.10-32
  it.each([
    ['erased', (store: MemoryStore) => store.erase(ann, 'tea', 1_500)],
    ['erased with its user', (store: MemoryStore) => store.forget(ann)],
    ['corrected', (store: MemoryStore) => store.correct(ann, { id: 'tea', text: 'x', hash: 'x' }, 1_500)],
    ['replaced', (store: MemoryStore) => make(store, { replace: [{ id: 'tea', by: fact('coffee') }] })],
    ['too old', (store: MemoryStore) => store.purge({ facts: 101, captures: 0 })],
  ])('has no vector of a fact any more that is %s', async (_what, act) => {
    const { store, vectors } = await openedWithVectors();
    await make(store, { add: [fact('tea')] });
    await vectors.keepVectors(ann, 'one', [byModel('tea')]);
    expect(await vectors.vectors(ann, 'one')).toHaveLength(1);
    await act(store);
    expect(await vectors.vectors(ann, 'one')).toEqual([]);
  });
});

describe('InMemoryMemoryStore for connections (contract/memory.md#storage)', () => {
  it('forgets first who has been away longest', async () => {
    const store = new InMemoryMemoryStore(2);
    for (const userKey of ['anon:1', 'anon:2', 'anon:1', 'anon:3'])
      await make(store, { add: [fact(userKey)] }, userKey);
    expect([await idsOf(store, 'anon:1'), await idsOf(store, 'anon:2')]).toEqual([['anon:1'], []]);
  });
});
