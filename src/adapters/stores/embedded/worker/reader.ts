import type { Database } from 'better-sqlite3';
import type { Statement } from '../../sql/sql-database.ts';
import type { Answer } from '../messages.ts';
import { faultOf } from './fault-of.ts';
import { runStatement } from './run-batch.ts';

/** Runs queries on one state of the database. */
export function answerRead(connection: Database, id: number, queries: readonly Statement[]): Answer {
  try {
    connection.exec('begin');
    try {
      return { id, kind: 'done', results: queries.map((query) => runStatement(connection, query)) };
    } finally {
      if (connection.inTransaction) connection.exec('commit');
    }
  } catch (error) {
    return { id, kind: 'failed', fault: faultOf(error) };
  }
}
