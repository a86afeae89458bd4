import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { StepRefused } from '../../../core/ports/step-refused.ts';
import type { Migration } from '../sql/migrations.ts';
import type { SqlDatabase, Statement, StatementResult } from '../sql/sql-database.ts';
import { describeStorageFault } from './describe-storage-fault.ts';
import { compileMigrations, sqliteQueries } from './sqlite-queries.ts';
import { migrate } from './worker/migrate.ts';
import { runBatch, runStatement } from './worker/run-batch.ts';

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
export async function openEmbeddedDatabase(folder: string, migrations: readonly Migration[]): Promise<SqlDatabase> {
  const file = join(folder, databaseFileName);
  let connection: SqliteDatabase.Database | undefined;
  try {
    await createPrivately(folder, file);
    connection = new SqliteDatabase(file, { timeout: busyTimeoutMs });
    makeDurable(connection);
    migrate(connection, compileMigrations(migrations));
    return overConnection(connection);
  } catch (error) {
    connection?.close();
    const fault = new Error(describeStorageFault(error, { folder, file }), { cause: error });
    throw Object.assign(fault, { code: 'STORAGE_UNUSABLE' });
  }
}

function overConnection(connection: SqliteDatabase.Database): SqlDatabase {
  return {
    queries: sqliteQueries(),
    change: (statements, refusal) => settled(() => changed(connection, statements, refusal)),
    read: (queries) => settled(() => queries.map((query) => runStatement(connection, query))),
    close: () => settled(() => void connection.close()),
  };
}

function changed(
  connection: SqliteDatabase.Database,
  statements: readonly Statement[],
  refusal: string,
): readonly StatementResult[] {
  const outcome = runBatch(connection, [statements])[0];
  if (outcome?.kind === 'done') return outcome.results;
  throw outcome?.kind === 'failed' ? new Error(outcome.reason) : new StepRefused(refusal);
}

function settled<Value>(run: () => Value): Promise<Value> {
  return new Promise((resolve) => {
    resolve(run());
  });
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
