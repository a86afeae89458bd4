import { sql } from 'kysely';
import { createMetricHour, keepHoursOfReplicas, keepHoursOfTenants } from './hour-migrations.ts';
import type { Migration } from './migration.ts';

const createConfirmation: Migration = ({ schema }) => [
  schema
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
    .addColumn('done_at', 'bigint'),
  schema.createIndex('confirmation_by_state').on('confirmation').columns(['state', 'done_at']),
];

/** Who answered, and the arguments as the user changed them (contract/confirmations.md#the-journal). */
const addAnswerDetails: Migration = ({ schema }) =>
  ['answered_by', 'edited_arguments', 'edited_arguments_hash'].map((column) =>
    schema.alterTable('confirmation').addColumn(column, 'text'),
  );

/** Turns that wait for their user with `hitlMode: Native` (contract/confirmations.md#the-journal). */
const createSuspendedTurn: Migration = ({ schema }) => [
  schema
    .createTable('suspended_turn')
    .addColumn('turn_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('saved_at', 'bigint', (column) => column.notNull()),
];

/**
 * Prevents that two rows of one call are both approved or declined. A snapshot may put a call's question again
 * (contract/sessions.md#snapshots).
 */
const decideCallsOnce: Migration = ({ schema }) => [
  schema
    .createIndex('confirmation_decided_once')
    .on('confirmation')
    .column('call_id')
    .unique()
    .where(sql.ref('answer'), 'in', [sql.lit('approved'), sql.lit('declined')]),
];

/** Stores the request of a callback, so that the server can make it again after a crash, and counts the repetitions (wire-5-24). */
const addRetries: Migration = ({ schema }) => [
  schema.alterTable('confirmation').addColumn('call', 'text'),
  schema.alterTable('confirmation').addColumn('retries', 'integer', (column) => column.notNull().defaultTo(0)),
];

/** Adds the records of turns, the place of a confirmed call in its turn, and who answered it (contract/confirmations.md#the-journal). */
const keepTurnRecords: Migration = ({ schema }) => [
  schema
    .createTable('turn')
    .addColumn('turn_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('header', 'text', (column) => column.notNull())
    .addColumn('lines', 'integer', (column) => column.notNull())
    .addColumn('saved_at', 'bigint', (column) => column.notNull())
    .addColumn('forget_at', 'bigint'),
  schema.createIndex('turn_by_saved_at').on('turn').column('saved_at'),
  schema.createIndex('turn_by_forget_at').on('turn').column('forget_at'),
  schema
    .createTable('turn_line')
    .addColumn('turn_id', 'text', (column) => column.notNull())
    .addColumn('first_line', 'integer', (column) => column.notNull())
    .addColumn('line_count', 'integer', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('turn_line_key', ['turn_id', 'first_line']),
  schema.alterTable('confirmation').addColumn('path', 'text', (column) => column.notNull().defaultTo('')),
  schema.alterTable('confirmation').addColumn('answered_who', 'text'),
  schema.createIndex('confirmation_by_call').on('confirmation').column('call_id'),
  schema.createIndex('confirmation_by_turn').on('confirmation').column('turn_id'),
];

/** What is remembered about users, and what they have said that nobody has looked through (contract/memory.md#storage). */
const createMemory: Migration = ({ schema }) => [
  schema
    .createTable('memory_fact')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_key', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('turn_id', 'text', (column) => column.notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('superseded_by', 'text'),
  schema.createIndex('memory_fact_by_user').on('memory_fact').columns(['user_key', 'at']),
  schema.createIndex('memory_fact_by_age').on('memory_fact').column('at'),
  schema
    .createTable('memory_capture')
    .addColumn('turn_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('user_key', 'text', (column) => column.notNull())
    .addColumn('words', 'text')
    .addColumn('asked_at', 'bigint', (column) => column.notNull()),
  schema.createIndex('memory_capture_by_user').on('memory_capture').column('user_key'),
  schema
    .createTable('memory_erasure')
    .addColumn('user_key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull()),
];

/** Conversations that are kept for their users, and the marks of erased users (contract/sessions.md#kept-conversations). */
const keepConversations: Migration = ({ schema }) => [
  schema
    .createTable('conversation')
    .addColumn('conversation_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('titled_by', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint'),
  schema.createIndex('conversation_by_owner').on('conversation').columns(['owner', 'last_at', 'conversation_id']),
  schema.createIndex('conversation_by_age').on('conversation').columns(['deleted_at', 'last_at']),
  schema
    .createTable('conversation_turn')
    .addColumn('conversation_id', 'text', (column) => column.notNull())
    .addColumn('turn_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('length', 'integer', (column) => column.notNull())
    .addColumn('messages', 'integer', (column) => column.notNull())
    .addColumn('replaces', 'text')
    .addPrimaryKeyConstraint('conversation_turn_key', ['conversation_id', 'turn_id']),
  schema
    .createTable('erasure')
    .addColumn('mark', 'text', (column) => column.primaryKey().notNull())
    .addColumn('erased_at', 'bigint', (column) => column.notNull()),
  schema.createIndex('confirmation_by_owner').on('confirmation').column('owner'),
];

/** What was spent of budgets, and what calls under way may still spend (contract/limits.md#budgets). */
const keepBudgets: Migration = ({ schema }) => [
  schema
    .createTable('budget_use')
    .addColumn('account', 'text', (column) => column.primaryKey().notNull())
    .addColumn('spent', 'bigint', (column) => column.notNull())
    .addColumn('held', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull()),
  schema.createIndex('budget_use_by_end').on('budget_use').column('ends_at'),
  schema
    .createTable('budget_hold')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('budget_hold_key', ['id', 'account']),
];

/** Keeps the vector of a fact in the row of the fact, so that one goes with the other (contract/memory.md#prompt). */
const keepFactVectors: Migration = ({ schema }) => [
  schema.alterTable('memory_fact').addColumn('vector_model', 'text'),
  schema.alterTable('memory_fact').addColumn('vector', 'text'),
];

/** Tasks of other agents (contract/a2a-server.md#tasks). */
const keepAgentTasks: Migration = ({ schema }) => [
  schema
    .createTable('agent_task')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('context_id', 'text', (column) => column.notNull())
    .addColumn('owner', 'text')
    .addColumn('turn_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull()),
  schema.createIndex('agent_task_by_owner').on('agent_task').columns(['owner', 'changed_at', 'id']),
  schema.createIndex('agent_task_by_age').on('agent_task').column('changed_at'),
];

/** Ends of turns that their webhooks are not told yet (contract/sse.md#detached-turns). */
const keepDeliveries: Migration = ({ schema }) => [
  schema
    .createTable('turn_delivery')
    .addColumn('turn_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull()),
  schema.createIndex('turn_delivery_by_due').on('turn_delivery').columns(['due_at', 'turn_id']),
  schema.createIndex('turn_delivery_by_owner').on('turn_delivery').column('owner'),
];

/** Which replica holds a turn, and which replicas live (contract/replicas.md#turns). */
const leaseTurns: Migration = ({ schema }) => [
  schema
    .createTable('replica')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull()),
  schema.alterTable('turn').addColumn('replica', 'text'),
];

/** Which replica holds a row that a start would otherwise take for left behind (contract/replicas.md#left-behind). */
const holdRows: Migration = ({ schema }) => [
  ...(['agent_task', 'budget_hold', 'confirmation', 'memory_capture', 'turn_delivery'] as const).map((table) =>
    schema.alterTable(table).addColumn('replica', 'text'),
  ),
  // Replicas look for these rows every few seconds.
  schema.createIndex('agent_task_by_state').on('agent_task').columns(['state', 'changed_at']),
  schema
    .createIndex('memory_capture_waiting')
    .on('memory_capture')
    .column('asked_at')
    .where(sql.ref('words'), 'is not', null),
];

/** Vectors of passages of documents, for all servers that use the database (contract/document-folders.md#vectors-in-the-database). */
const keepPassageVectors: Migration = ({ schema }) => [
  schema
    .createTable('passage_vector')
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('model', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('dimensions', 'integer')
    .addColumn('numbers', 'text')
    .addColumn('signs', 'text')
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('passage_vector_key', ['source', 'model', 'hash']),
  schema.createIndex('passage_vector_by_use').on('passage_vector').column('used_at'),
];

/** The mark of a turn's user, by which an erasure finds the turns of that user (contract/sessions.md#erasing). */
const markTurns: Migration = ({ schema }) => [
  schema.alterTable('turn').addColumn('owner', 'text'),
  schema.createIndex('turn_by_owner').on('turn').columns(['owner', 'turn_id']),
];

/** Every migration in order. The first is number 1. A released migration is never edited: a change of the schema is a new migration. */
export const migrations: readonly Migration[] = [
  createConfirmation,
  addAnswerDetails,
  createSuspendedTurn,
  decideCallsOnce,
  addRetries,
  keepTurnRecords,
  createMetricHour,
  createMemory,
  keepConversations,
  keepHoursOfTenants,
  keepBudgets,
  keepFactVectors,
  keepAgentTasks,
  keepDeliveries,
  leaseTurns,
  holdRows,
  keepHoursOfReplicas,
  keepPassageVectors,
  markTurns,
];
