import { describe, expect, it, onTestFinished } from 'vitest';
import { migratePostgres } from '../../../src/adapters/stores/postgres/migrate-postgres.ts';
import { PostgresDatabase } from '../../../src/adapters/stores/postgres/postgres-database.ts';
import {
  PostgresPassageVectors,
  type PassageVectorTimes,
} from '../../../src/adapters/stores/postgres/postgres-passage-vectors.ts';
import { migrations } from '../../../src/adapters/stores/sql/migrations.ts';
import { statement } from '../../../src/adapters/stores/sql/sql-database.ts';
import { unobserved } from '../../../src/adapters/stores/storage-observer.ts';
import { smallVector } from '../../../src/core/base/small-vector.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';

const newDatabase = databasesOfRun();
const docs = { source: 'docs', model: 'one' };
const hour = 3_600_000;
const vectors = ['a', 'b'].map((hash, index) => ({
  hash,
  vector: smallVector(Float32Array.from({ length: 40 }, (_, number) => Math.sin(number + index))),
}));

async function opened(times: PassageVectorTimes = { reservedMs: 30_000, notedMs: hour }) {
  const storage = await newDatabase();
  await migratePostgres(storage.url, migrations);
  const database = new PostgresDatabase(storage, unobserved);
  onTestFinished(() => database.close());
  return { database, store: new PostgresPassageVectors(database, times) };
}

describe.skipIf(!hasPostgres)(
  'vectors of passages in PostgreSQL (contract/document-folders.md#vectors-in-the-database)',
  () => {
    // proves configuration-5-88
    it('are given back as they were kept, for their source and their model alone', async () => {
      const { store, database } = await opened();
      await store.keep(docs, vectors);
      expect(new Set(await store.find(docs, ['a', 'b', 'c']))).toEqual(new Set(vectors));
      expect(await store.find({ ...docs, model: 'two' }, ['a'])).toEqual([]);
      expect(await store.find({ ...docs, source: 'other' }, ['a'])).toEqual([]);
      const spoilt = database.queries.updateTable('passage_vector').set({ numbers: 'AAAA' }).where('hash', '=', 'a');
      await database.change([statement(spoilt)], { refusal: 'refused', order: 'test' });
      expect((await store.find(docs, ['a', 'b'])).map(({ hash }) => hash)).toEqual(['b']);
      expect(await store.take(docs, ['a', 'b'])).toEqual({ found: vectors.slice(1), toMake: ['a'] });
      await store.keep(docs, vectors);
      expect(await store.find(docs, ['a', 'b'])).toHaveLength(2);
    });

    // proves configuration-5-89
    it('are made by one of many that want them, until it lets go of them or takes too long', async () => {
      const { store, database } = await opened();
      const taken = await Promise.all(Array.from({ length: 4 }, () => store.take(docs, ['a', 'b', 'c'])));
      expect(taken.flatMap(({ toMake }) => toMake).toSorted()).toEqual(['a', 'b', 'c']);
      await store.release(docs, ['a']);
      await store.keep(docs, vectors.slice(1));
      expect(await store.take(docs, ['a', 'b', 'c'])).toEqual({ found: vectors.slice(1), toMake: ['a'] });
      const impatient = new PostgresPassageVectors(database, { reservedMs: 0, notedMs: hour });
      expect((await impatient.take(docs, ['b', 'c'])).toMake).toEqual(['c']);
    });

    // proves configuration-5-91
    it('go when nobody has used them for a while, and stay while they are in use', async () => {
      const { store, database } = await opened();
      await store.keep(docs, vectors);
      const aged = database.queries
        .updateTable('passage_vector')
        .set((row) => ({ used_at: row('used_at', '-', 2 * hour) }));
      await database.change([statement(aged)], { refusal: 'refused', order: 'test' });
      expect(await store.use(docs, ['a', 'c'])).toEqual(['c']);
      expect(await store.purge(Date.now() - hour)).toBe(1);
      expect(await store.find(docs, ['a', 'b'])).toEqual(vectors.slice(0, 1));
    });
  },
);
