import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbeddedDatabase } from '../../../../src/adapters/stores/embedded/open-embedded-database.ts';
import { describeStorageFault } from '../../../../src/adapters/stores/embedded/describe-storage-fault.ts';
import { openStores } from '../../../../src/adapters/stores/open-stores.ts';
import { migrations } from '../../../../src/adapters/stores/sql/migrations.ts';
import type { Tables } from '../../../../src/adapters/stores/sql/tables.ts';
import type { JournalEntry } from '../../../../src/core/ports/confirmation-journal.ts';

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
let closing: Kysely<Tables>[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storage-'));
  closing = [];
});

afterEach(async () => {
  for (const database of closing) await database.destroy();
  await rm(folder, { recursive: true, force: true });
});

async function openWith(...extra: readonly ((database: Kysely<Tables>) => Promise<void>)[]): Promise<Kysely<Tables>> {
  const database = await openEmbeddedDatabase(folder, [...migrations, ...extra]);
  closing.push(database);
  return database;
}

async function pragma(database: Kysely<Tables>, name: string): Promise<unknown> {
  const result = await sql<Record<string, unknown>>`select * from ${sql.raw(`pragma_${name}`)}`.execute(database);
  return Object.values(result.rows[0] ?? {})[0];
}

describe('embedded storage (configuration.md 5)', () => {
  it('makes its folder and file for the own user only', async () => {
    const path = join(folder, 'deep', 'data');
    const journal = (await openStores({ type: 'embedded', path })).journal;
    await journal.close();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(join(path, 'helper.db'))).mode & 0o777).toBe(0o600);
  });

  it('syncs every commit of its write-ahead log (wire.md 5)', async () => {
    const database = await openWith();
    expect(await pragma(database, 'journal_mode')).toBe('wal');
    expect(await pragma(database, 'synchronous')).toBe(2);
  });

  it('finds an unfinished confirmation after a crash (wire.md 5)', async () => {
    const modulePath = fileURLToPath(new URL('../../../../src/adapters/stores/open-stores.ts', import.meta.url));
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
        },
      ]);
    } finally {
      await journal.close();
    }
  });

  it('lets one of two servers on the same file take a step', async () => {
    const one = (await openStores({ type: 'embedded', path: folder })).journal;
    const other = (await openStores({ type: 'embedded', path: folder })).journal;
    try {
      await one.requested(entry);
      await other.answered('a1', { answer: 'approved', by: 'user' }, 2);
      await expect(one.answered('a1', { answer: 'approved', by: 'user' }, 2)).rejects.toThrow('already taken');
    } finally {
      await one.close();
      await other.close();
    }
  });
});

describe('schema migrations (configuration.md 5)', () => {
  it('run once, forward only', async () => {
    const released = migrations.map((_migration, index) => index + 1);
    let runs = 0;
    const second = async (database: Kysely<Tables>): Promise<void> => {
      runs += 1;
      await database.schema.alterTable('confirmation').addColumn('note', 'text').execute();
    };
    const versions = async (database: Kysely<Tables>): Promise<number[]> =>
      (await database.selectFrom('schema_migration').select('version').orderBy('version').execute()).map(
        (row) => row.version,
      );
    expect(await versions(await openWith())).toEqual(released);
    expect(await versions(await openWith(second))).toEqual([...released, released.length + 1]);
    await openWith(second);
    expect(runs).toBe(1);
  });

  it('leave nothing behind when one fails', async () => {
    const failing = async (database: Kysely<Tables>): Promise<void> => {
      await database.schema.createTable('half').addColumn('id', 'text').execute();
      throw new Error('no such luck');
    };
    await expect(openWith(failing)).rejects.toThrow('no such luck');
    const tables = await (await openWith()).introspection.getTables();
    expect(tables.map((table) => table.name).sort()).toEqual(['confirmation', 'schema_migration', 'suspended_turn']);
  });

  it('refuse a database of a newer version in a sentence', async () => {
    await openWith(() => Promise.resolve());
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
    expect(describeStorageFault(fault, { folder: '/data', file: '/data/helper.db' })).toContain(advice);
  });
});
