import type { Database } from 'better-sqlite3';
import type { Statement } from '../../sql/sql-database.ts';
import { runStatement } from './run-batch.ts';

/**
 * Brings the schema forward to the last of `migrations` (contract/restarts.md), in one transaction: a failing step leaves
 * nothing behind. IMMEDIATE takes the write lock before the version is read.
 * @throws Error when the database was written by a newer version of this server.
 */
export function migrate(connection: Database, migrations: readonly (readonly Statement[])[]): void {
  connection.exec('begin immediate');
  try {
    connection.exec(
      'create table if not exists "schema_migration" ("version" integer primary key not null, "applied_at" bigint not null)',
    );
    const found = currentVersion(connection);
    if (found > migrations.length) throw new Error(newerSchema(found, migrations.length));
    for (const [index, statements] of migrations.entries()) {
      const version = index + 1;
      if (version <= found) continue;
      for (const statement of statements) runStatement(connection, statement);
      connection
        .prepare('insert into "schema_migration" ("version", "applied_at") values (?, ?)')
        .run(version, Date.now());
    }
    connection.exec('commit');
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback');
    throw error;
  }
}

function currentVersion(connection: Database): number {
  const version: unknown = connection.prepare('select max("version") from "schema_migration"').pluck().get();
  return typeof version === 'number' ? version : 0;
}

function newerSchema(found: number, known: number): string {
  return (
    `the database was written by a newer version of this server (schema ${String(found)}, this version knows ` +
    `${String(known)}). Start that newer version, or set storage.path to another folder`
  );
}
