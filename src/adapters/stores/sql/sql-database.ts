import type { Compilable, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export type SqlValue = string | number | bigint | null;

/** One statement in the form that the database takes. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  /** How many rows the statement MUST change. Any other number refuses the whole change. */
  readonly mustChange?: number;
  /** The statement removes something that a user has erased. Soon after, the files of the database must not hold it either. */
  readonly erases?: boolean;
}

export interface StatementResult {
  /** How many rows were changed; 0 for a query. */
  readonly changes: number;
  /** The rows that a query found. */
  readonly rows: readonly unknown[];
}

/** What counts for a change as a whole. */
export interface ChangeRules {
  /** The message of the `StepRefused` of a change that is not made. */
  readonly refusal: string;
  /**
   * Changes that share a text are made one after the other, by all processes together, and those of this process in the order of the
   * calls. Each of them sees what the ones before have done. Changes that share none MAY be made at the same time.
   */
  readonly order: string | readonly string[];
  /** The change outlives the process once it is made. A loss of power it MAY outlive only some seconds later. */
  readonly syncLater?: boolean | undefined;
}

/** A relational database as the stores use it (contract/restarts.md). */
export interface SqlDatabase {
  /** Builds queries in the dialect of this database. The queries are compiled here and run by `change` and `read`. */
  readonly queries: Kysely<Tables>;
  /**
   * Runs the statements in order in one transaction: all of them or none. Resolves once the transaction is durable. Rejects with
   * `StepRefused` when a statement breaks a constraint or changes another number of rows than it must. Any other rejection means that the
   * database failed, and the change may or may not have been made.
   */
  change(statements: readonly Statement[], rules: ChangeRules): Promise<readonly StatementResult[]>;
  /** Runs all queries on one state of the database. That state includes every change that was acknowledged before this call. */
  read(queries: readonly Statement[]): Promise<readonly StatementResult[]>;
  close(): Promise<void>;
}

/** Compiles a query of `SqlDatabase.queries`. */
export function statement(query: Compilable, mustChange?: number): Statement {
  const { sql, parameters } = query.compile();
  return {
    sql,
    // Every column of Tables holds text, a number or null, and Tables gives the query its types.
    parameters: parameters as readonly SqlValue[],
    ...(mustChange !== undefined && { mustChange }),
  };
}

/** Compiles a query that removes what a user has erased, or what is too old to be kept. */
export function erasing(query: Compilable): Statement {
  return { ...statement(query), erases: true };
}

/** Runs one query. */
export async function readRows<Row>(database: SqlDatabase, query: Compilable<Row>): Promise<readonly Row[]> {
  return rowsOf(query, (await database.read([statement(query)]))[0]);
}

/** The rows that `query` found, typed by it. */
export function rowsOf<Row>(_query: Compilable<Row>, result: StatementResult | undefined): readonly Row[] {
  // The result belongs to this query, whose row type Kysely derived from Tables. The migrations keep the schema equal to Tables.
  return (result?.rows ?? []) as readonly Row[];
}
