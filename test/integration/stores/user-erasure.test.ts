import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createUserMarks } from '../../../src/adapters/snapshots/user-marks.ts';
import { openEmbeddedDatabase } from '../../../src/adapters/stores/embedded/open-embedded-database.ts';
import { migratePostgres } from '../../../src/adapters/stores/postgres/migrate-postgres.ts';
import { PostgresDatabase } from '../../../src/adapters/stores/postgres/postgres-database.ts';
import { migrations } from '../../../src/adapters/stores/sql/migrations.ts';
import type { ProbedDatabase } from '../../../src/adapters/stores/sql/probed-database.ts';
import { storesOn } from '../../../src/adapters/stores/sql/stores-on.ts';
import { unobserved } from '../../../src/adapters/stores/storage-observer.ts';
import type { Stores } from '../../../src/adapters/stores/stores.ts';
import { UserErasure } from '../../../src/core/erasure/user-erasure.ts';
import { hasPostgres, databasesOfRun } from '../../support/databases/postgres.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { testKey, testRecordSealer, testSealer } from '../../support/test-sealer.ts';

const sealer = testRecordSealer();
const newDatabase = databasesOfRun();

/** An erasure happens at this moment. */
const at = 1_790_000_000_000;

async function embedded(): Promise<ProbedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'erasure-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return openEmbeddedDatabase(folder, migrations, unobserved);
}

async function postgres(): Promise<ProbedDatabase> {
  const { url, maxConnections } = await newDatabase();
  await migratePostgres(url, migrations);
  return new PostgresDatabase({ url, maxConnections }, unobserved);
}

/** The stores on a database, and what was read from it. */
async function opened(open: () => Promise<ProbedDatabase>) {
  const database = await open();
  onTestFinished(() => database.close());
  const read = { queries: 0, characters: 0 };
  const counting: ProbedDatabase = {
    queries: database.queries,
    change: (...given) => database.change(...given),
    read: async (queries) => {
      const results = await database.read(queries);
      read.queries += queries.length;
      read.characters += JSON.stringify(results).length;
      return results;
    },
    probe: () => database.probe(),
    close: () => database.close(),
  };
  return { stores: storesOn(counting), read };
}

/** Marks under two keys, as after a change of keys. The first one is that of new turns. */
const marks = createUserMarks([testKey(1), testKey(2)]);

function erasureOf(stores: Stores, clocksApartMs = 0): UserErasure {
  const clock = { now: () => at };
  const { conversations, erasures, journal, turns, memory: facts, tasks, deliveries } = stores;
  return new UserErasure({
    ...{ conversations, erasures, journal, turns, facts, tasks, deliveries, sealer, marks, clock, clocksApartMs },
    log: recordingLogger(),
  });
}

interface Kept {
  readonly turnId: string;
  readonly userKey: string;
  /** Left out, the turn has no mark, as older versions keep it. */
  readonly owner?: string;
  readonly askedAt?: number;
}

/** Keeps a turn with a line of 10,000 characters. */
async function keep({ turns }: Stores, { turnId, userKey, owner, askedAt = 1 }: Kept): Promise<void> {
  const content = { turnId, conversationId: `conversation of ${turnId}`, principal: { userKey }, askedAt };
  const header = sealer.seal(JSON.stringify(content), turnId);
  const text = sealer.seal(JSON.stringify(['told', 'x'.repeat(10_000)]), turnId);
  await turns.create({ turnId, header, owner, lines: { first: 0, count: 1, text } }, 1);
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const [newMark, oldMark = ''] = marks('id:ann');
const annsTurns: readonly Kept[] = [
  { turnId: 'new', userKey: 'id:ann', owner: newMark },
  { turnId: 'under an old key', userKey: 'id:ann', owner: oldMark },
  { turnId: 'of an old version', userKey: 'id:ann' },
];

const storages: readonly (readonly [string, () => Promise<ProbedDatabase>])[] = [
  ['embedded storage', embedded],
  ...(hasPostgres ? [['PostgreSQL', postgres] as const] : []),
];

describe.each(storages)('an erasure on %s (contract/sessions.md#erasing)', (_name, open) => {
  // proves configuration-5-99
  it('reads neither the turns of others nor any line, however many turns are kept', async () => {
    const { stores, read } = await opened(open);
    const [others] = marks('id:ben');
    for (const index of numbers(150))
      await keep(stores, { turnId: `ben ${String(index)}`, userKey: 'id:ben', owner: others });
    for (const turn of annsTurns) await keep(stores, turn);
    await erasureOf(stores).erase('id:ann');
    expect(await stores.turns.ids()).toEqual(
      numbers(150)
        .map((index) => `ben ${String(index)}`)
        .toSorted(),
    );
    expect(read.queries).toBeLessThan(10);
    expect(read.characters).toBeLessThan(10_000);
  });

  // proves configuration-5-99
  it('finds turns that an older version keeps meanwhile, a few headers at a time', async () => {
    const { stores, read } = await opened(open);
    for (const index of numbers(50)) await keep(stores, { turnId: `${String(100 + index)} ben`, userKey: 'id:ben' });
    for (const turnId of ['000', '125 ann', '999']) await keep(stores, { turnId, userKey: 'id:ann' });
    await erasureOf(stores).erase('id:ann');
    const left = await stores.turns.ids();
    expect(left).toEqual(numbers(50).map((index) => `${String(100 + index)} ben`));
    // Twice three pages, twice one page for each of two marks, and the ids that this test has read.
    expect(read.queries).toBeLessThan(12);
    expect(read.characters).toBeLessThan(50_000);
  });
});

describe('an erasure by clocks that differ (contract/replicas.md#clocks)', () => {
  const ahead = at + 29_000;
  const later = at + 31_000;

  // proves wire-4-84
  it('takes the turns that a replica has kept whose clock is ahead', async () => {
    const { stores } = await opened(embedded);
    await keep(stores, { turnId: 'ahead', userKey: 'id:ann', owner: newMark, askedAt: ahead });
    await keep(stores, { turnId: 'later', userKey: 'id:ann', owner: newMark, askedAt: later });
    await erasureOf(stores, 30_000).erase('id:ann');
    expect(await stores.turns.ids()).toEqual(['later']);
  });

  // proves wire-4-84
  it('makes replicas refuse the snapshots that one has saved whose clock is ahead', async () => {
    const { stores } = await opened(embedded);
    const erasure = erasureOf(stores, 30_000);
    const before = await testSealer({ now: () => ahead }).seal('said', 'id:ann');
    const after = await testSealer({ now: () => later }).seal('said', 'id:ann');
    await erasure.erase('id:ann');
    const upTo = await erasure.erasedAt('id:ann');
    const now = testSealer({ now: () => later });
    await expect(now.open(before, 'id:ann', upTo)).rejects.toMatchObject({ snapshotFault: 'erased' });
    expect(await now.open(after, 'id:ann', upTo)).toBe('said');
  });

  // proves wire-4-84
  it('leaves what a user does afterwards where one server at a time uses the storage', async () => {
    const { stores } = await opened(embedded);
    const erasure = erasureOf(stores);
    await keep(stores, { turnId: 'next', userKey: 'id:ann', owner: newMark, askedAt: at + 1 });
    await erasure.erase('id:ann');
    expect(await stores.turns.ids()).toEqual(['next']);
    const next = testSealer({ now: () => at + 1 });
    expect(await next.open(await next.seal('said', 'id:ann'), 'id:ann', await erasure.erasedAt('id:ann'))).toBe('said');
  });
});
