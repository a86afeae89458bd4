import type { Database, Statement as Prepared } from 'better-sqlite3';
import type { Statement, StatementResult } from '../../sql/sql-database.ts';

/** The outcome of one change of a batch. */
export type ChangeOutcome =
  | { readonly kind: 'done'; readonly results: readonly StatementResult[] }
  | { readonly kind: 'refused' }
  /** The change itself cannot be made, whatever state the disk is in. */
  | { readonly kind: 'failed'; readonly reason: string };

/** A statement changed another number of rows than it must. */
class Refused extends Error {}

/**
 * Makes many changes durable with one commit. Each change has a savepoint of its own, so that a refused change does not undo the others.
 * After a throw, callers cannot rely on any of the changes.
 * @throws what SQLite throws when the transaction as a whole failed.
 */
export function runBatch(connection: Database, changes: readonly (readonly Statement[])[]): readonly ChangeOutcome[] {
  connection.exec('begin immediate');
  try {
    const outcomes = changes.map((statements) => runChange(connection, statements));
    connection.exec('commit');
    return outcomes;
  } catch (error) {
    if (connection.inTransaction) connection.exec('rollback');
    throw error;
  }
}

function runChange(connection: Database, statements: readonly Statement[]): ChangeOutcome {
  connection.exec('savepoint one_change');
  try {
    const results = statements.map((statement) => runStatement(connection, statement));
    connection.exec('release one_change');
    return { kind: 'done', results };
  } catch (error) {
    // After a fault of a full or broken disk, the whole transaction fails with every change of the batch.
    if (!connection.inTransaction || !isOfTheChange(error)) throw error;
    connection.exec('rollback to one_change');
    connection.exec('release one_change');
    if (error instanceof Refused || codeOf(error).startsWith('SQLITE_CONSTRAINT')) return { kind: 'refused' };
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Runs a query or a change. A connection prepares each statement once. */
export function runStatement(connection: Database, { sql, parameters, mustChange }: Statement): StatementResult {
  const prepared = prepare(connection, sql);
  if (prepared.reader) return { changes: 0, rows: prepared.all(...parameters) };
  const { changes } = prepared.run(...parameters);
  if (mustChange !== undefined && changes !== mustChange) throw new Refused();
  return { changes, rows: [] };
}

/**
 * The most prepared statements. The stores have fewer kinds of statements, but lists of different lengths make different statements, which
 * may push the others out.
 */
const preparedAtOnce = 200;

const preparedBy = new WeakMap<Database, Map<string, Prepared>>();

function prepare(connection: Database, sql: string): Prepared {
  const prepared = preparedBy.get(connection) ?? new Map<string, Prepared>();
  preparedBy.set(connection, prepared);
  const known = prepared.get(sql);
  if (known !== undefined) return known;
  if (prepared.size >= preparedAtOnce) prepared.clear();
  const made = connection.prepare(sql);
  prepared.set(sql, made);
  return made;
}

/** Whether the change itself has the fault. Then the transaction and the disk are as they were. */
function isOfTheChange(error: unknown): boolean {
  if (error instanceof Refused || error instanceof TypeError || error instanceof RangeError) return true;
  return ['SQLITE_CONSTRAINT', 'SQLITE_ERROR', 'SQLITE_TOOBIG', 'SQLITE_MISMATCH', 'SQLITE_RANGE'].some((code) =>
    codeOf(error).startsWith(code),
  );
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}
