import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** The hourly figures of the dashboard (contract/operations.md#dashboard). */
export const createMetricHour: Migration = ({ schema }) => [
  schema
    .createTable('metric_hour')
    .addColumn('hour', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('figures', 'text', (column) => column.notNull()),
];

/** The name of the table of hours while its rows move. */
const hoursBefore = 'metric_hour_of_all';

/**
 * Keeps the hourly figures of tenants beside those of all callers together. The rows from before become figures of all callers
 * (contract/operations.md#dashboard).
 */
export const keepHoursOfTenants: Migration = (database) => {
  const { schema } = database;
  const rows = sql<{ hour: number; figures: string }>`${sql.table(hoursBefore)}`.as('earlier');
  return [
    schema.alterTable('metric_hour').renameTo(hoursBefore),
    schema
      .createTable('metric_hour')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('figures', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('metric_hour_key', ['tenant', 'hour']),
    database
      .insertInto('metric_hour')
      .columns(['tenant', 'hour', 'figures'])
      .expression(database.selectFrom(rows).select([sql.lit('').as('tenant'), 'earlier.hour', 'earlier.figures'])),
    schema.dropTable(hoursBefore),
    schema.createIndex('metric_hour_by_age').on('metric_hour').column('hour'),
  ];
};

/** Keeps the hourly figures of each replica in a row of its own. A server that uses the database alone has the empty name. */
export const keepHoursOfReplicas: Migration = (database) => {
  const { schema } = database;
  const rows = sql<{ tenant: string; hour: number; figures: string }>`${sql.table(hoursBefore)}`.as('earlier');
  return [
    schema.dropIndex('metric_hour_by_age'),
    schema.alterTable('metric_hour').renameTo(hoursBefore),
    schema
      .createTable('metric_hour')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('replica', 'text', (column) => column.notNull())
      .addColumn('figures', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('metric_hour_of_replica_key', ['tenant', 'hour', 'replica']),
    database
      .insertInto('metric_hour')
      .columns(['tenant', 'hour', 'replica', 'figures'])
      .expression(
        database
          .selectFrom(rows)
          .select(['earlier.tenant', 'earlier.hour', sql.lit('').as('replica'), 'earlier.figures']),
      ),
    schema.dropTable(hoursBefore),
    schema.createIndex('metric_hour_by_age').on('metric_hour').column('hour'),
  ];
};
