import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** One step forward of the schema. MUST only use what SQLite and PostgreSQL have in common. */
export type Migration = (database: Kysely<Tables>) => Promise<void>;

async function createConfirmation(database: Kysely<Tables>): Promise<void> {
  await database.schema
    .createTable('confirmation')
    .addColumn('action_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('call_id', 'text', (column) => column.notNull())
    .addColumn('turn_id', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('arguments_hash', 'text', (column) => column.notNull())
    .addColumn('arguments', 'text', (column) => column.notNull())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('answer', 'text')
    .addColumn('outcome', 'text')
    .addColumn('requested_at', 'bigint', (column) => column.notNull())
    .addColumn('answered_at', 'bigint')
    .addColumn('executing_at', 'bigint')
    .addColumn('done_at', 'bigint')
    .execute();
  await database.schema.createIndex('confirmation_by_state').on('confirmation').columns(['state', 'done_at']).execute();
}

/** Who answered, and the arguments as the user changed them (wire.md 5). */
async function addAnswerDetails(database: Kysely<Tables>): Promise<void> {
  for (const column of ['answered_by', 'edited_arguments', 'edited_arguments_hash']) {
    await database.schema.alterTable('confirmation').addColumn(column, 'text').execute();
  }
}

/** Turns that wait for their user with `hitlMode: Native` (wire.md 5). */
async function createSuspendedTurn(database: Kysely<Tables>): Promise<void> {
  await database.schema
    .createTable('suspended_turn')
    .addColumn('turn_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('saved_at', 'bigint', (column) => column.notNull())
    .execute();
}

/** A question may be put again from a snapshot: of all rows of a call one alone is approved or declined (wire.md 5). */
async function decideCallsOnce(database: Kysely<Tables>): Promise<void> {
  await database.schema
    .createIndex('confirmation_decided_once')
    .on('confirmation')
    .column('call_id')
    .unique()
    .where(sql.ref('answer'), 'in', ['approved', 'declined'])
    .execute();
}

/** What it takes to make an interrupted call of a callback again, and how often it was (wire.md 5). */
async function addRetries(database: Kysely<Tables>): Promise<void> {
  await database.schema.alterTable('confirmation').addColumn('call', 'text').execute();
  await database.schema
    .alterTable('confirmation')
    .addColumn('retries', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** Every migration in order; the first is number 1. A released one is never edited: what changes is a new one. */
export const migrations: readonly Migration[] = [
  createConfirmation,
  addAnswerDetails,
  createSuspendedTurn,
  decideCallsOnce,
  addRetries,
];
