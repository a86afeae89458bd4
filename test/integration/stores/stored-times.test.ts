import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openEmbeddedDatabase } from '../../../src/adapters/stores/embedded/open-embedded-database.ts';
import { migratePostgres } from '../../../src/adapters/stores/postgres/migrate-postgres.ts';
import { PostgresDatabase } from '../../../src/adapters/stores/postgres/postgres-database.ts';
import { migrations } from '../../../src/adapters/stores/sql/migrations.ts';
import type { ProbedDatabase } from '../../../src/adapters/stores/sql/probed-database.ts';
import { storesOn } from '../../../src/adapters/stores/sql/stores-on.ts';
import { unobserved } from '../../../src/adapters/stores/storage-observer.ts';
import { openStoredTimes } from '../../../src/app/stored-times.ts';
import { UserMemory } from '../../../src/core/memory/user-memory.ts';
import { databasesOfRun, hasPostgres } from '../../support/databases/postgres.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { testSealer } from '../../support/test-sealer.ts';

const newDatabase = databasesOfRun();
const hourMs = 3_600_000;
const user = 'id:ann';

async function embedded(): Promise<ProbedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'times-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return openEmbeddedDatabase(folder, migrations, unobserved);
}

async function postgres(): Promise<ProbedDatabase> {
  const { url, maxConnections } = await newDatabase();
  await migratePostgres(url, migrations);
  return new PostgresDatabase({ url, maxConnections }, unobserved);
}

const storages: readonly (readonly [string, () => Promise<ProbedDatabase>])[] = [
  ['embedded storage', embedded],
  ...(hasPostgres ? [['PostgreSQL', postgres] as const] : []),
];

describe.each(storages)('a clock that is set back, on %s (contract/sessions.md#erasing)', (_name, open) => {
  /** Stores, a clock that a test sets, and what a server has that opens them. */
  async function opened() {
    const database = await open();
    onTestFinished(() => database.close());
    const stores = storesOn(database);
    const clock = { at: 1_790_000_000_000, now: () => clock.at };
    const started = async () => {
      const log = recordingLogger();
      const times = await openStoredTimes({ scaleOut: { type: 'none' } as never }, { stores, clock, log });
      const said = (turnId: string, askedAt = times.now()): Promise<boolean> =>
        stores.memory.pend({ turnId, conversationId: 'c', userKey: user, words: turnId, askedAt });
      return { log, times, said, memory: new UserMemory(stores.memory, times), sealer: testSealer(times) };
    };
    return { stores, clock, started };
  }

  const setBack = {
    'while a server runs': <Server>(server: Server) => Promise.resolve(server),
    'before a server starts': <Server>(_server: Server, started: () => Promise<Server>) => started(),
  };

  describe.each(Object.entries(setBack))('%s', (_when, next) => {
    // proves service-2.9-97
    it('keeps nothing from memory that is said after an erasure, and everything that was said before it', async () => {
      const { clock, started } = await opened();
      const first = await started();
      const before = first.times.now();
      await first.memory.eraseAll(user);
      clock.at -= 3 * hourMs;
      const server = await next(first, started);
      expect(await server.said('after')).toBe(true);
      expect(await server.said('before', before)).toBe(false);
    });

    // proves service-2.9-97
    it('leaves nothing to look for facts in that was said before an erasure', async () => {
      const { stores, clock, started } = await opened();
      const first = await started();
      await first.said('before');
      clock.at -= 3 * hourMs;
      const server = await next(first, started);
      await server.memory.eraseAll(user);
      expect(await stores.memory.pending()).toEqual([]);
    });

    // proves service-2.9-97
    it('lets snapshots be restored that are saved after an erasure, and none from before', async () => {
      const { stores, clock, started } = await opened();
      const first = await started();
      const before = await first.sealer.seal('before', user);
      await stores.erasures.mark('ann', first.times.now());
      clock.at -= 3 * hourMs;
      const server = await next(first, started);
      const erasedAt = await stores.erasures.erasedAt(['ann']);
      expect(await server.sealer.open(await server.sealer.seal('after', user), user, erasedAt)).toBe('after');
      await expect(server.sealer.open(before, user, erasedAt)).rejects.toMatchObject({ snapshotFault: 'erased' });
    });
  });

  // proves service-2.9-98
  it('is told once by how much it is behind, from a minute on', async () => {
    const { stores, clock, started } = await opened();
    await stores.erasures.mark('ann', clock.at);
    clock.at -= 59_000;
    expect((await started()).log.lines).toEqual([]);
    clock.at -= 3 * hourMs;
    const { log, times } = await started();
    times.now();
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { behindMs: 3 * hourMs + 59_000 } }]);
  });

  it('counts again once it has caught up', async () => {
    const { stores, clock, started } = await opened();
    await stores.erasures.mark('ann', clock.at);
    clock.at -= hourMs;
    const { times } = await started();
    clock.at += 2 * hourMs;
    expect(times.now()).toBe(clock.at);
  });
});
