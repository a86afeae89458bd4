import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { migrate } from '../sql/migrate.ts';
import type { Migration } from '../sql/migrations.ts';
import type { Tables } from '../sql/tables.ts';
import { describeStorageFault } from './describe-storage-fault.ts';

/** How long a statement waits for another process that is writing. */
const busyTimeoutMs = 5_000;

/** The file in `storage.path` that holds everything embedded storage keeps. */
export const databaseFileName = 'helper.db';

/**
 * Opens, or creates, the SQLite database in `folder` and migrates it (configuration.md 5). A commit is on the disk
 * before it is acknowledged. The folder and the file are readable by the server's own user only when this call makes them.
 * @throws Error with the code STORAGE_UNUSABLE that says what to do when the folder cannot be written, or the file is
 * damaged, locked or newer.
 */
export async function openEmbeddedDatabase(folder: string, migrations: readonly Migration[]): Promise<Kysely<Tables>> {
  const file = join(folder, databaseFileName);
  let connection: SqliteDatabase.Database | undefined;
  try {
    await createPrivately(folder, file);
    connection = new SqliteDatabase(file, { timeout: busyTimeoutMs });
    makeDurable(connection);
    const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: connection }) });
    await migrateInOneTransaction(database, migrations);
    return database;
  } catch (error) {
    connection?.close();
    const fault = new Error(describeStorageFault(error, { folder, file }), { cause: error });
    throw Object.assign(fault, { code: 'STORAGE_UNUSABLE' });
  }
}

/** SQLite would create the file for everybody to read; the write-ahead files take over the mode of the file. */
async function createPrivately(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a', 0o600);
  await handle.close();
}

/** The journal's promise (wire.md 5): FULL syncs the write-ahead log at every commit, NORMAL only at checkpoints. */
function makeDurable(connection: SqliteDatabase.Database): void {
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
}

/**
 * IMMEDIATE takes the write lock before the version is read, so that two servers starting at once take turns. A failure
 * leaves the transaction open on purpose: closing the connection undoes it.
 */
async function migrateInOneTransaction(database: Kysely<Tables>, migrations: readonly Migration[]): Promise<void> {
  await database.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    await migrate(connection, migrations);
    await sql`commit`.execute(connection);
  });
}
