import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { type KeptRest, type Mark, marksIn } from './kept-record.ts';

/** What was read from an index of documents. */
type IndexRest = Pick<KeptRest, 'indexed' | 'worded' | 'parts'>;

const noIndex: IndexRest = { indexed: [], worded: [], parts: { all: 0, withVector: 0, models: 0 } };

/** Reads the storage of a server that has ended. */
export function restOf(storage: string): Pick<KeptRest, 'rows' | 'strayTurns'> {
  return reading(join(storage, 'helper.db'), (database) => {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all().map(String);
    const rows = tables.map((table) => database.prepare(`select * from "${table}"`).all());
    const stray = `select count(*) from conversation_turn where conversation_id not in
      (select conversation_id from conversation where deleted_at is null)`;
    return { rows: JSON.stringify(rows), strayTurns: Number(database.prepare(stray).pluck().get()) };
  });
}

/** Reads the index of documents. A server may have the index open meanwhile. */
export function indexOf(storage: string): IndexRest {
  const name = existsSync(storage)
    ? readdirSync(storage).find((file) => /^documents-.*\.sqlite$/.test(file))
    : undefined;
  if (name === undefined) return noIndex;
  return reading(join(storage, name), (database) => {
    const all = (sql: string): readonly string[] => database.prepare(sql).pluck().all().map(String);
    const papers = (texts: readonly string[]): readonly Mark[] =>
      texts.flatMap((text) => marksIn(text).filter((mark) => mark.startsWith('paper')));
    const count = (sql: string): number => Number(database.prepare(sql).pluck().get());
    return {
      indexed: papers(all('select text from chunk join file on file.id = chunk.file')),
      worded: papers(all('select coalesce((select text from chunk where chunk.id = words.rowid), rowid) from words')),
      parts: {
        all: count('select count(*) from chunk'),
        // The last process uses the second embedding model, so the vectors of the first model must be gone.
        withVector: count(
          `select count(*) from chunk where hash in (
             select hash from vector join model on model.id = vector.model where identity like '%vectors-2%')`,
        ),
        models: count('select count(distinct model) from vector'),
      },
    };
  });
}

/** The names of files that the server has put aside as damaged. There must be none, because a kill must not damage a file. */
export function damagedIn(storage: string): readonly string[] {
  return readdirSync(storage).filter((file) => file.includes('damaged'));
}

function reading<Result>(file: string, read: (database: Database) => Result): Result {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    return database.transaction(() => read(database))();
  } finally {
    database.close();
  }
}
