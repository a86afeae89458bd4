import type { Compilable, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export type SqlValue = string | number | bigint | null;

/** One statement as it goes to the database. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** How many rows it MUST change: another number refuses the whole change. */
  readonly mustChange?: number;
}

export interface StatementResult {
  /** How many rows were changed; 0 for a query. */
  readonly changes: number;
  /** What a query found. */
  readonly rows: readonly unknown[];
}

/** A relational database as the stores use it (contract/restarts.md). */
export interface SqlDatabase {
  /** Builds queries in the dialect of this database; they are compiled, never executed, on it. */
  readonly queries: Kysely<Tables>;
  /**
   * Runs the statements in order in one transaction, and resolves once that is durable: all of them, or none. Changes are
   * made in the order of the calls. Rejects with `StepRefused(refusal)` when a statement changes another number of rows
   * than it must or breaks a constraint, with any other error when the database failed: the change may then have been
   * made or not.
   */
  change(statements: readonly Statement[], refusal: string): Promise<readonly StatementResult[]>;
  /** Runs queries on one state of the database: that after every change which was acknowledged before this call. */
  read(queries: readonly Statement[]): Promise<readonly StatementResult[]>;
  close(): Promise<void>;
}

/** Compiles a query of `SqlDatabase.queries`. */
export function statement(query: Compilable, mustChange?: number): Statement {
  const { sql, parameters } = query.compile();
  return {
    sql,
    // The columns of Tables are texts, numbers and null, and the query is typed by them.
    parameters: parameters as readonly SqlValue[],
    ...(mustChange !== undefined && { mustChange }),
  };
}

/** Runs one query. */
export async function readRows<Row>(database: SqlDatabase, query: Compilable<Row>): Promise<readonly Row[]> {
  return rowsOf(query, (await database.read([statement(query)]))[0]);
}

/** The rows that `query` found, typed by it. */
export function rowsOf<Row>(_query: Compilable<Row>, result: StatementResult | undefined): readonly Row[] {
  // The result is that of this query, whose type Kysely derived from Tables; the migrations keep the schema to Tables.
  return (result?.rows ?? []) as readonly Row[];
}
