import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { openEmbeddedDatabase } from '../embedded/open-embedded-database.ts';
import { migratePostgres } from '../postgres/migrate-postgres.ts';
import { describePostgresFault } from '../postgres/postgres-faults.ts';
import { CheckedClient } from '../postgres/checked-client.ts';
import { connectionOptions, endInTime } from '../postgres/postgres-pool.ts';
import { ServerLock } from '../postgres/server-lock.ts';
import { readText, storedText } from '../postgres/stored-text.ts';
import { migrations } from '../sql/migrations.ts';
import type { SqlDatabase, SqlValue } from '../sql/sql-database.ts';
import type { Tables } from '../sql/tables.ts';
import type { StorageObserver } from '../storage-observer.ts';

/** How many rows are read and written at once. Records of turns may have megabytes. */
const rowsAtOnce = 100;

/** Milliseconds that one statement may take. */
const statementMs = 10 * 60_000;

/** Every table but those that each database fills for itself. */
const tables = Object.keys({
  agent_task: true,
  budget_hold: true,
  budget_use: true,
  confirmation: true,
  conversation: true,
  conversation_turn: true,
  erasure: true,
  memory_capture: true,
  memory_erasure: true,
  memory_fact: true,
  metric_hour: true,
  passage_vector: true,
  suspended_turn: true,
  turn: true,
  turn_delivery: true,
  turn_line: true,
} satisfies Record<Exclude<keyof Tables, 'schema_migration' | 'replica'>, true>);

/** What was copied of one table. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

type Row = Readonly<Record<string, SqlValue>>;

/**
 * Copies all that embedded storage in `folder` holds into an empty database of PostgreSQL (contract/operations.md#copying). Then it reads
 * every row back and compares. All rows are there afterwards, or none.
 * @throws Error with what to do: a server uses the folder, the database cannot be used or is not empty, or what was read back differs.
 */
export async function copyStorage(
  folder: string,
  url: string,
  observer: StorageObserver,
): Promise<readonly CopiedTable[]> {
  const source = await openEmbeddedDatabase(folder, migrations, observer);
  try {
    return await withDatabase(url, observer, (target) => copyTables(source, target));
  } finally {
    await source.close();
  }
}

/** Runs `work` in one transaction of a database with the schema of this version, which no server uses meanwhile. */
async function withDatabase<Value>(
  url: string,
  observer: StorageObserver,
  work: (target: Client) => Promise<Value>,
): Promise<Value> {
  const lock = new ServerLock(url, observer);
  const limits = { statement_timeout: statementMs, query_timeout: statementMs, idle_in_transaction_session_timeout: 0 };
  const client = new CheckedClient({ ...connectionOptions({ url }), ...limits });
  client.on('error', () => undefined);
  try {
    await lock.take(0);
    await migratePostgres(url, migrations);
    await client.connect();
    await client.query('begin');
    const value = await work(client);
    await client.query('commit');
    return value;
  } catch (error) {
    throw error instanceof CopyFault ? error : new Error(describePostgresFault(error), { cause: error });
  } finally {
    await endInTime(client);
    await lock.release();
  }
}

/** The copy itself is at fault, and not the database. */
class CopyFault extends Error {}

async function copyTables(source: SqlDatabase, target: Client): Promise<readonly CopiedTable[]> {
  for (const table of tables) await requireEmpty(target, table);
  const copied: CopiedTable[] = [];
  for (const table of tables) {
    const sent = await copyTable(source, target, table);
    const found = await readBack(target, table);
    if (sent.rows !== found.rows || sent.digest !== found.digest)
      throw new CopyFault(`what was read back of ${table} differs: nothing was copied`);
    copied.push({ table, rows: sent.rows });
  }
  return copied;
}

async function requireEmpty(target: Client, table: string): Promise<void> {
  const { rows } = await target.query(`select 1 from ${quoted(table)} limit 1`);
  if (rows.length > 0)
    throw new CopyFault(
      `the database of storage.url has data already (${table}): give an empty one. Nothing was copied`,
    );
}

async function copyTable(source: SqlDatabase, target: Client, table: string): Promise<RowsSeen> {
  const seen = new RowsSeen();
  for (let last = 0; ;) {
    const sql = `select rowid as "row", * from ${quoted(table)} where rowid > ? order by rowid limit ${String(rowsAtOnce)}`;
    const found = await rowsOf(source, sql, [last]);
    if (found.length === 0) return seen;
    last = Number(found.at(-1)?.['row']);
    const rows = found.map(({ row: _row, ...columns }) => columns);
    await insert(target, table, rows);
    for (const row of rows) seen.add(row);
  }
}

async function insert(target: Client, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.flatMap((row) => columns.map((column) => written(row[column])));
  const places = rows.map(
    (_, row) => `(${columns.map((_name, column) => `$${String(row * columns.length + column + 1)}`).join(', ')})`,
  );
  await target.query(
    `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values ${places.join(', ')}`,
    values,
  );
}

function written(value: SqlValue | undefined): SqlValue {
  return typeof value === 'string' ? storedText(value) : (value ?? null);
}

async function readBack(target: Client, table: string): Promise<RowsSeen> {
  const seen = new RowsSeen();
  await target.query(`declare read_back cursor for select * from ${quoted(table)}`);
  for (;;) {
    const { rows } = await target.query<Row>(`fetch ${String(rowsAtOnce)} from read_back`);
    if (rows.length === 0) break;
    for (const row of rows) seen.add(row);
  }
  await target.query('close read_back');
  return seen;
}

/** Counts rows, and adds up their hashes: the sum does not depend on the order of the rows. */
class RowsSeen {
  rows = 0;
  digest = 0n;

  add(row: Row): void {
    const columns = Object.keys(row).toSorted();
    const values = columns.map((column) => {
      const value = row[column];
      return typeof value === 'string' ? readText(value) : value;
    });
    const hash = createHash('sha256')
      .update(JSON.stringify([columns, values]))
      .digest('hex');
    this.rows += 1;
    this.digest = BigInt.asUintN(256, this.digest + BigInt(`0x${hash}`));
  }
}

async function rowsOf(source: SqlDatabase, sql: string, parameters: readonly SqlValue[]): Promise<readonly Row[]> {
  const [result] = await source.read([{ sql, parameters }]);
  return (result?.rows ?? []) as readonly Row[]; // a query of a table gives its columns
}

function quoted(name: string): string {
  return `"${name}"`;
}
