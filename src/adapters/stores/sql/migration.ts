import type { Compilable, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** One step forward of the schema, as statements in order. Its statements MUST use only what SQLite and PostgreSQL have in common. */
export type Migration = (database: Kysely<Tables>) => readonly Compilable[];
