import { expect, it, onTestFinished, vi } from 'vitest';
import type { MakeCall } from '../../../../src/adapters/knowledge/files/messages.ts';
import { makeChunks } from '../../../../src/adapters/knowledge/files/reader/make-chunks.ts';
import { openIndex } from '../../../../src/adapters/knowledge/files/worker/index-database.ts';
import { IndexWriter } from '../../../../src/adapters/knowledge/files/worker/index-writer.ts';
import { SourceVectors } from '../../../../src/adapters/knowledge/files/worker/vectors/source-vectors.ts';
import { VectorStore } from '../../../../src/adapters/knowledge/files/worker/vectors/vector-store.ts';

const day = 24 * 60 * 60 * 1_000;

// proves configuration-5-91
it('vectors are said to be in use every other day at the latest, however seldom the folder is looked at again (contract/document-folders.md#vectors-in-the-database)', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { database } = openIndex(null);
  const identity = 'a model';
  const chunks = makeChunks([{ path: [], text: 'An aardvark.' }], { title: 'A', language: 'en' });
  const document = {
    title: 'A',
    url: null,
    language: 'en',
    metadata: {},
    audience: { roles: [], tenants: [] },
    chunks,
  };
  new IndexWriter(database).write([{ kind: 'store', path: 'a.markdown', stamp: '1', hash: 'a', document }]);
  const store = new VectorStore(database, identity);
  const vector = { numbers: new Int8Array(32).fill(1), norm: 1, signs: new Uint32Array(1) };
  store.write(store.missing(0, 1).texts.map(({ hash }) => ({ hash, vector })));
  const used: unknown[] = [];
  const call = ((what: string, asked: unknown) => {
    if (what === 'use') used.push(asked);
    return Promise.resolve([]);
  }) as unknown as MakeCall; // nothing else is asked about a text that has its vector
  const rules = { model: 'm', identity, minCosine: 0, searchMs: 1_000, isShared: true };
  const outlets = { call, log: () => undefined, changed: () => undefined, failed: () => undefined };
  const vectors = new SourceVectors(database, rules, outlets);
  vectors.begin();
  await vi.advanceTimersByTimeAsync(0);
  expect(used).toEqual([{ identity, hashes: store.hashes('', 1) }]);
  await vi.advanceTimersByTimeAsync(2 * day);
  expect(used.length).toBeGreaterThan(1);
  vectors.close();
  const before = used.length;
  await vi.advanceTimersByTimeAsync(4 * day);
  expect(used).toHaveLength(before);
});
