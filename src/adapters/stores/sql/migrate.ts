import type { Kysely } from 'kysely';
import type { Migration } from './migrations.ts';
import type { Tables } from './tables.ts';

/**
 * Brings the schema forward to the last of `migrations` (configuration.md 5). The caller holds the write lock and one
 * transaction around this call, so that a failing step leaves nothing behind and two servers do not race.
 * @throws Error when the database was written by a newer version of this server.
 */
export async function migrate(database: Kysely<Tables>, migrations: readonly Migration[]): Promise<void> {
  await database.schema
    .createTable('schema_migration')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  const found = await currentVersion(database);
  if (found > migrations.length) throw new Error(newerSchema(found, migrations.length));
  for (const [index, migration] of migrations.entries()) {
    const version = index + 1;
    if (version <= found) continue;
    await migration(database);
    await database.insertInto('schema_migration').values({ version, applied_at: Date.now() }).execute();
  }
}

async function currentVersion(database: Kysely<Tables>): Promise<number> {
  const row = await database
    .selectFrom('schema_migration')
    .select((select) => select.fn.max('version').as('version'))
    .executeTakeFirst();
  return row?.version ?? 0;
}

function newerSchema(found: number, known: number): string {
  return (
    `the database was written by a newer version of this server (schema ${String(found)}, this version knows ` +
    `${String(known)}). Start that newer version, or set storage.path to another folder`
  );
}
