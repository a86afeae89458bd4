import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type Statement, statement } from '../sql/sql-database.ts';
import type { Migration } from '../sql/migration.ts';
import type { Tables } from '../sql/tables.ts';

/** Builds queries for SQLite. They are compiled here and run in another thread. */
export function sqliteQueries(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** The statements of each migration, in order. */
export function compileMigrations(migrations: readonly Migration[]): readonly (readonly Statement[])[] {
  const queries = sqliteQueries();
  return migrations.map((migration) => migration(queries).map((query) => statement(query)));
}
