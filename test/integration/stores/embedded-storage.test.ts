import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import SqliteDatabase from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEmbeddedDatabase } from '../../../src/adapters/stores/embedded/open-embedded-database.ts';
import { describeStorageFault } from '../../../src/adapters/stores/embedded/describe-storage-fault.ts';
import { openStores } from '../../../src/adapters/stores/open-stores.ts';
import type { Migration } from '../../../src/adapters/stores/sql/migration.ts';
import { migrations } from '../../../src/adapters/stores/sql/migrations.ts';
import { SqlConfirmationJournal } from '../../../src/adapters/stores/sql/sql-confirmation-journal.ts';
import { readRows, type SqlDatabase } from '../../../src/adapters/stores/sql/sql-database.ts';
import { unobserved } from '../../../src/adapters/stores/storage-observer.ts';
import type { JournalEntry } from '../../../src/core/ports/confirmation-journal.ts';

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
  requestedAt: 1,
};

let folder: string;
let closing: SqlDatabase[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-'));
  closing = [];
});

afterEach(async () => {
  for (const database of closing) await database.close();
  await rm(folder, { recursive: true, force: true });
});

async function openWith(...extra: readonly Migration[]): Promise<SqlDatabase> {
  const database = await openEmbeddedDatabase(folder, [...migrations, ...extra], unobserved);
  closing.push(database);
  return database;
}

async function pragma(database: SqlDatabase, name: string): Promise<unknown> {
  const query = sql<Record<string, unknown>>`select * from ${sql.raw(`pragma_${name}`)}`;
  const rows = await readRows(database, { compile: () => query.compile(database.queries) });
  return Object.values(rows[0] ?? {})[0];
}

describe('embedded storage (contract/restarts.md)', () => {
  it('makes its folder and file for the own user only', async () => {
    const path = join(folder, 'deep', 'data');
    const journal = (await openStores({ type: 'embedded', path })).journal;
    await journal.close();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(join(path, 'helper.db'))).mode & 0o777).toBe(0o600);
  });

  // proves wire-5-21
  it('syncs every commit of its write-ahead log (contract/confirmations.md#the-journal)', async () => {
    const database = await openWith();
    expect(await pragma(database, 'journal_mode')).toBe('wal');
    expect(await pragma(database, 'synchronous')).toBe(2);
  });

  it('finds an unfinished confirmation after a crash (contract/confirmations.md#the-journal)', async () => {
    const modulePath = fileURLToPath(new URL('../../../src/adapters/stores/open-stores.ts', import.meta.url));
    const program = `
      const { openStores } = await import(${JSON.stringify(modulePath)});
      const journal = (await openStores({ type: 'embedded', path: ${JSON.stringify(folder)} })).journal;
      await journal.requested(${JSON.stringify(entry)});
      await journal.answered('a1', { answer: 'approved', by: 'user' }, 2);
      await journal.executing('a1', 3, '{"user":"ann"}');
      process.kill(process.pid, 'SIGKILL');`;
    const crash = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    await expect(crash).rejects.toMatchObject({ signal: 'SIGKILL' });
    const journal = (await openStores({ type: 'embedded', path: folder })).journal;
    try {
      expect(await journal.unfinished()).toEqual([
        {
          ...entry,
          state: 'executing',
          answer: 'approved',
          answeredBy: 'user',
          editedArguments: null,
          outcome: null,
          call: '{"user":"ann"}',
          retries: 0,
          path: '',
          answeredWho: null,
          answeredAt: 2,
          executingAt: 3,
          doneAt: null,
        },
      ]);
    } finally {
      await journal.close();
    }
  });

  // proves wire-5-23
  it('takes a folder for itself alone, and leaves it to the next one', async () => {
    const first = await openStores({ type: 'embedded', path: folder });
    try {
      await expect(openStores({ type: 'embedded', path: folder })).rejects.toThrow(
        `storage.path: ${folder} cannot be used: it is in use by process ${String(process.pid)} on ${hostname()}, since`,
      );
      await first.journal.requested(entry);
    } finally {
      await first.journal.close();
    }
    const next = await openStores({ type: 'embedded', path: folder });
    expect(await next.journal.find('a1')).toMatchObject({ state: 'requested' });
    await next.journal.close();
  });
});

describe('a purge of embedded storage', () => {
  const rows = 3_000;
  const megabyte = 1024 * 1024;
  const file = (): string => join(folder, 'helper.db');

  /** A database with some megabytes of deleted content. */
  async function filled(): Promise<SqlDatabase> {
    const database = await openWith();
    const journal = new SqlConfirmationJournal(database);
    const big = { ...entry, arguments: JSON.stringify({ text: 'x'.repeat(4_000) }) };
    const ids = Array.from({ length: rows }, (_, index) => `a${String(index)}`);
    await Promise.all(ids.map((actionId) => journal.requested({ ...big, actionId, callId: actionId })));
    await Promise.all(ids.map((actionId) => journal.answered(actionId, { answer: 'declined', by: 'user' }, 5)));
    return database;
  }

  it('gives space back to the disk, in steps that nobody waits for', async () => {
    const database = await filled();
    await vi.waitFor(async () => {
      const connected = await stat(file());
      expect(connected.size).toBeGreaterThan(8 * megabyte);
    });
    const journal = new SqlConfirmationJournal(database);
    await journal.purge(6);
    await vi.waitFor(async () => {
      expect((await stat(file())).size).toBeLessThan(2 * megabyte);
    });
    await journal.requested({ ...entry, actionId: 'next' });
    expect(await journal.unfinished()).toHaveLength(1);
  });
});

describe('schema migrations (contract/restarts.md)', () => {
  async function versions(database: SqlDatabase): Promise<number[]> {
    const all = database.queries.selectFrom('schema_migration').select('version').orderBy('version');
    return (await readRows(database, all)).map((row) => row.version);
  }

  it('run once, forward only', async () => {
    const released = migrations.map((_migration, index) => index + 1);
    const next: Migration = ({ schema }) => [schema.alterTable('confirmation').addColumn('note', 'text')];
    const first = await openWith();
    expect(await versions(first)).toEqual(released);
    await first.close();
    const second = await openWith(next);
    expect(await versions(second)).toEqual([...released, released.length + 1]);
    await second.close();
    // A migration that ran a second time would fail, because its column already exists.
    expect(await versions(await openWith(next))).toEqual([...released, released.length + 1]);
  });

  it('leave nothing behind when one fails', async () => {
    const failing: Migration = ({ schema }) => [
      schema.createTable('half').addColumn('id', 'text'),
      schema.alterTable('nowhere').addColumn('id', 'text'),
    ];
    await expect(openWith(failing)).rejects.toThrow('no such table: nowhere');
    await (await openWith()).close();
    const file = new SqliteDatabase(join(folder, 'helper.db'), { readonly: true });
    try {
      const tables = file.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all();
      expect(tables).toEqual([
        'agent_task',
        'budget_hold',
        'budget_use',
        'confirmation',
        'conversation',
        'conversation_turn',
        'erasure',
        'memory_capture',
        'memory_erasure',
        'memory_fact',
        'metric_hour',
        'passage_vector',
        'replica',
        'schema_migration',
        'suspended_turn',
        'turn',
        'turn_delivery',
        'turn_line',
      ]);
    } finally {
      file.close();
    }
  });

  it('bring a database of version 1.0 forward and keep what is in it', async () => {
    const before = await openEmbeddedDatabase(folder, migrations.slice(0, 5), unobserved);
    closing.push(before);
    const turn = before.queries.insertInto('suspended_turn').values({ turn_id: 't1', state: '{}', saved_at: 1 });
    const { sql: text, parameters } = turn.compile();
    await before.change([{ sql: text, parameters: parameters as string[] }], { refusal: 'refused', order: 'test' });
    await before.close();
    const stores = await openStores({ type: 'embedded', path: folder });
    try {
      expect(await stores.suspendedTurns.all()).toEqual([{ turnId: 't1', state: '{}' }]);
      await stores.journal.requested(entry);
      expect(await stores.journal.find('a1')).toMatchObject({ path: '', answeredWho: null });
    } finally {
      await stores.journal.close();
    }
  });

  // proves configuration-7-66
  it('bring the hourly figures of a version without tenants forward, as those of all callers', async () => {
    const before = await openEmbeddedDatabase(folder, migrations.slice(0, 9), unobserved);
    closing.push(before);
    const hours = [1000, 2000].map((hour) => ({
      sql: 'insert into metric_hour (hour, figures) values (?, ?)',
      parameters: [hour, `{"turns|hub|completed":${String(hour)}}`],
    }));
    await before.change(hours, { refusal: 'refused', order: 'test' });
    await before.close();
    const stores = await openStores({ type: 'embedded', path: folder });
    try {
      const { metrics } = stores;
      expect(await metrics.read(0, 9000)).toEqual([
        { hour: 1000, figures: '{"turns|hub|completed":1000}' },
        { hour: 2000, figures: '{"turns|hub|completed":2000}' },
      ]);
      expect(await metrics.of('acme').read(0, 9000)).toEqual([]);
      await metrics.of('acme').save({ hour: 1000, figures: '{}' });
      await metrics.save({ hour: 2000, figures: 'new' });
      expect((await metrics.read(0, 9000)).map(({ figures }) => figures)).toEqual([
        '{"turns|hub|completed":1000}',
        'new',
      ]);
    } finally {
      await stores.journal.close();
    }
  });

  it('refuse a database of a newer version in a sentence', async () => {
    await (await openWith(() => [])).close();
    const known = migrations.length;
    await expect(openWith()).rejects.toThrow(
      `was written by a newer version of this server (schema ${String(known + 1)}, this version knows ${String(known)}). Start that newer version`,
    );
  });
});

describe('faults of embedded storage say what to do', () => {
  it('a file that is no database', async () => {
    await writeFile(join(folder, 'helper.db'), 'this is not a database, however long one looks at it'.repeat(40));
    await expect(openWith()).rejects.toThrow(/helper\.db cannot be used: file is not a database\. .*move it away/);
  });

  it('a folder that is a file', async () => {
    await writeFile(join(folder, 'data'), '');
    const opening = openStores({ type: 'embedded', path: join(folder, 'data') });
    await expect(opening).rejects.toThrow(/storage\.path: .*data cannot be used: .*set storage\.path to a folder/);
  });

  it('a database file that is a folder', async () => {
    await mkdir(join(folder, 'helper.db'));
    await expect(openWith()).rejects.toThrow('storage.path');
  });

  it.each([
    ['EACCES', 'Make the folder writable'],
    ['EROFS', 'mount a writable volume'],
    ['SQLITE_CORRUPT_INDEX', 'restore it from a backup'],
    ['SQLITE_BUSY', 'Another process is using it'],
  ])('%s', (code, advice) => {
    const fault = Object.assign(new Error('it failed'), { code });
    expect(describeStorageFault(fault, { folder: '/data', database: '/data/helper.db' })).toContain(advice);
  });
});
