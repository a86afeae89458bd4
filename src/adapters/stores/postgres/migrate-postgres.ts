import type { Client } from 'pg';
import type { Migration } from '../sql/migration.ts';
import { statement } from '../sql/sql-database.ts';
import { CheckedClient } from './checked-client.ts';
import { lockNumber } from './lock-number.ts';
import { connectionOptions, endInTime } from './postgres-pool.ts';
import { postgresQueries } from './postgres-queries.ts';

/**
 * Milliseconds that a server waits while another server migrates, and that one step of its own migration may take. The startup probe of the
 * chart leaves time for both.
 */
export const migrationMs = 5 * 60_000;

/**
 * Brings the schema forward to the last of `migrations` (contract/restarts.md), in one transaction: a failing step leaves nothing behind.
 * Servers that start at the same time wait for each other.
 * @throws Error when the database cannot be reached, refuses, or was written by a newer version of this server.
 */
export async function migratePostgres(url: string, migrations: readonly Migration[]): Promise<void> {
  const client = new CheckedClient({
    ...connectionOptions({ url }),
    statement_timeout: migrationMs,
    lock_timeout: migrationMs,
    query_timeout: migrationMs + 10_000,
  });
  // A lost connection also rejects the statement under way.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1::bigint)', [lockNumber('migrations')]);
    await bringForward(client, migrations);
    await client.query('commit');
  } finally {
    await endInTime(client);
  }
}

async function bringForward(client: Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(
    'create table if not exists "schema_migration" ("version" integer primary key not null, "applied_at" bigint not null)',
  );
  const { rows } = await client.query<{ version: number | null }>(
    'select max("version") as "version" from "schema_migration"',
  );
  const found = rows[0]?.version ?? 0;
  if (found > migrations.length) throw newerSchema(found, migrations.length);
  const queries = postgresQueries();
  for (const [index, migration] of migrations.entries()) {
    if (index < found) continue;
    for (const query of migration(queries)) {
      const { sql, parameters } = statement(query);
      await client.query(sql, [...parameters]);
    }
    await client.query('insert into "schema_migration" ("version", "applied_at") values ($1, $2)', [
      index + 1,
      Date.now(),
    ]);
  }
}

function newerSchema(found: number, known: number): Error {
  const message = `the database was written by a newer version of this server (schema ${String(found)}, this version knows ${String(known)})`;
  return Object.assign(new Error(message), { code: 'SCHEMA_NEWER' });
}
