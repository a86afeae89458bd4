import type { PoolClient, QueryResult } from 'pg';
import type { Kysely } from 'kysely';
import { StepRefused } from '../../../core/ports/step-refused.ts';
import type { ProbedDatabase } from '../sql/probed-database.ts';
import type { ChangeRules, Statement, StatementResult } from '../sql/sql-database.ts';
import type { Tables } from '../sql/tables.ts';
import { StorageFailed } from '../storage-failed.ts';
import { StorageLog } from '../storage-log.ts';
import type { StorageObserver } from '../storage-observer.ts';
import { isConflict, isOfTheConnection, isRefusal, Refused, storageFailed } from './postgres-faults.ts';
import { InOrder } from './in-order.ts';
import { lockNumber } from './lock-number.ts';
import { type PostgresAddress, PostgresPool } from './postgres-pool.ts';
import { postgresQueries } from './postgres-queries.ts';
import { readText, storedText } from './stored-text.ts';

/** The right to change the database. */
export interface DatabaseRight {
  /** While this is false, every change fails. */
  isHeld(): boolean;
  /** Called when this server does not use the database any more. */
  release(): Promise<void>;
  /** Called before, while the database can be used for the last time. MUST NOT reject. */
  end?(): Promise<void>;
}

const forEverybody: DatabaseRight = { isHeld: () => true, release: () => Promise.resolve() };

/** How often a change is made again that other changes were in the way of. */
const mostAttempts = 5;

/**
 * PostgreSQL for many servers at the same time. Changes of one order wait for each other: in this process in a queue, and with those of
 * other processes for a lock of the database, which each transaction takes before it looks at anything.
 */
export class PostgresDatabase implements ProbedDatabase {
  readonly queries: Kysely<Tables> = postgresQueries();
  readonly #pool: PostgresPool;
  readonly #log: StorageLog;
  readonly #metrics: StorageObserver['metrics'];
  readonly #inOrder = new InOrder();
  readonly #right: DatabaseRight;

  /** The database MUST have the schema of this version. */
  constructor(address: PostgresAddress, observer: StorageObserver, right = forEverybody) {
    this.#right = right;
    this.#pool = new PostgresPool(address);
    this.#log = new StorageLog(observer);
    this.#metrics = observer.metrics;
  }

  async change(statements: readonly Statement[], { refusal, order }: ChangeRules): Promise<readonly StatementResult[]> {
    const orders = typeof order === 'string' ? [order] : order;
    const made = this.#inOrder.do(orders, () => this.#made(statements, orders));
    const results = await this.#log.told('write', made);
    if (results === 'refused') throw new StepRefused(refusal);
    return results;
  }

  read(queries: readonly Statement[]): Promise<readonly StatementResult[]> {
    return this.#log.told('read', this.#found(queries));
  }

  async probe(): Promise<void> {
    await this.#log.told('probe', this.#probed());
  }

  async close(): Promise<void> {
    await this.#right.end?.();
    await this.#pool.close();
    await this.#right.release();
  }

  async #probed(): Promise<void> {
    this.#requireRight();
    // This UPDATE changes no value. A full disk and a server that has become a standby refuse it all the same.
    const write = this.queries.updateTable('schema_migration').set((row) => ({ applied_at: row.ref('applied_at') }));
    const { sql, parameters } = write.where('version', '=', 1).compile();
    await this.#used((connection) => connection.query(sql, [...parameters]));
  }

  /** @throws StorageFailed while this server may not change the database. */
  #requireRight(): void {
    if (!this.#right.isHeld())
      throw new StorageFailed('', 'this server may not change the database now: another server has it, or may have it');
  }

  async #made(
    statements: readonly Statement[],
    orders: readonly string[],
  ): Promise<readonly StatementResult[] | 'refused'> {
    const [only, ...more] = statements;
    if (only === undefined) return [];
    const began = performance.now();
    this.#requireRight();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const results = await this.#pool.use((connection) =>
          more.length === 0 ? alone(connection, only) : together(connection, statements, orders),
        );
        this.#metrics.storageCommitted({ changes: 1, durationMs: performance.now() - began });
        return results;
      } catch (error) {
        if (isRefusal(error)) return 'refused';
        if (!isConflict(error) || attempt === mostAttempts) throw storageFailed(error);
      }
    }
  }

  /** A query changes nothing, so it is asked again when the connection turns out to be dead. */
  async #found(queries: readonly Statement[]): Promise<readonly StatementResult[]> {
    const find = (connection: PoolClient): Promise<readonly StatementResult[]> => {
      const [only, ...more] = queries;
      return only !== undefined && more.length === 0 ? alone(connection, only) : onOneState(connection, queries);
    };
    try {
      return await this.#pool.use(find);
    } catch (error) {
      if (!isOfTheConnection(error)) throw storageFailed(error);
      return this.#used(find);
    }
  }

  async #used<Value>(work: (connection: PoolClient) => Promise<Value>): Promise<Value> {
    try {
      return await this.#pool.use(work);
    } catch (error) {
      throw storageFailed(error);
    }
  }
}

/** One statement is a transaction of its own. The stores let a single statement change one row at most, so a wrong number is 0. */
async function alone(connection: PoolClient, statement: Statement): Promise<readonly StatementResult[]> {
  return [resultOf(await run(connection, statement), statement)];
}

/** Runs the statements in one transaction. No other change of these orders runs beside it. */
async function together(
  connection: PoolClient,
  statements: readonly Statement[],
  orders: readonly string[],
): Promise<readonly StatementResult[]> {
  const begun = [
    connection.query('begin'),
    // Locks are taken in the same order everywhere, so that no two transactions wait for each other.
    ...orders
      .map(lockNumber)
      .toSorted()
      .map((number) => connection.query('select pg_advisory_xact_lock($1::bigint)', [number])),
  ];
  const asked = statements.map((each) => run(connection, each));
  try {
    const answers = (await inOrder([...begun, ...asked])).slice(begun.length);
    const results = answers.map((answer, index) => resultOf(answer, statements[index]));
    await connection.query('commit');
    return results;
  } catch (error) {
    await connection.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Runs the queries on one state of the database. */
async function onOneState(connection: PoolClient, queries: readonly Statement[]): Promise<readonly StatementResult[]> {
  const begun = connection.query('begin isolation level repeatable read read only');
  const asked = queries.map((each) => run(connection, each));
  const [, ...answers] = await inOrder([begun, ...asked, connection.query('commit')]);
  return answers.slice(0, queries.length).map((answer) => resultOf(answer));
}

function run(connection: PoolClient, { sql, parameters }: Statement): Promise<QueryResult> {
  const values = parameters.map((value) => (typeof value === 'string' ? storedText(value) : value));
  return connection.query(sql, values);
}

/** Waits for all answers. Throws the first fault in the order of the statements: those after it fail because of it. */
async function inOrder(asked: readonly Promise<QueryResult>[]): Promise<readonly QueryResult[]> {
  const settled = await Promise.allSettled(asked);
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

/** @throws Refused when the statement has changed another number of rows than it must. */
function resultOf({ command, rowCount, rows }: QueryResult, statement?: Statement): StatementResult {
  const changes = command === 'SELECT' ? 0 : (rowCount ?? 0);
  const { mustChange } = statement ?? {};
  if (mustChange !== undefined && changes !== mustChange) throw new Refused();
  return { changes, rows: rows.map(readRow) };
}

function readRow(row: Record<string, unknown>): unknown {
  for (const [column, value] of Object.entries(row)) if (typeof value === 'string') row[column] = readText(value);
  return row;
}
