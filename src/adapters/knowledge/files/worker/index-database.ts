import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';

/**
 * Raise this number when the content of an index changes: its chunks, tokens, readers or tables. An index with another number is built
 * anew.
 */
const recipeNumber = '6';

const cacheKiB = 8 * 1024;
const logBytes = 4 * 1024 * 1024;

/**
 * `chunk.id` is never given twice, so a reference to a chunk never means another text. `words` keeps no text, only the places of the
 * tokens. Our own code makes the tokens, so SQLite splits them at spaces only. A vector belongs to a text (`hash`), not to a chunk: a file
 * that is read again, or that is in the folder twice, needs no new vector.
 */
const tables = `
  create table about (key text primary key not null, value text not null) strict;
  create table audience (id integer primary key not null, rules text unique not null) strict;
  create table file (
    id integer primary key not null, path text unique not null, stamp text not null, hash text not null,
    fault text, is_cost integer not null default 0, title text not null default '', url text, language text not null default '',
    metadata text not null default '{}'
  ) strict;
  create table chunk (
    id integer primary key autoincrement not null, file integer not null, audience integer not null,
    path text not null, page integer, text text not null, hash text not null
  ) strict;
  create index chunk_of_file on chunk (file);
  create index chunk_of_audience on chunk (audience);
  create index chunk_of_hash on chunk (hash);
  create table model (id integer primary key not null, identity text unique not null, dimensions integer not null) strict;
  create table vector (
    id integer primary key not null, model integer not null, hash text not null, norm real not null, signs blob not null,
    numbers blob not null, unique (model, hash)
  ) strict;
  create virtual table words using fts5 (title, body, content = '', contentless_delete = 1, tokenize = 'ascii');
  create virtual table vocabulary using fts5vocab (words, 'row');
`;

/** An open index, and what happened to a damaged one before. */
export interface OpenedIndex {
  readonly database: Database;
  /** Why the earlier index was put aside. Undefined: no index was put aside. */
  readonly damage?: string;
  /** The file that the earlier index is in now. */
  readonly putAside?: string;
}

/**
 * Opens the index in `file`. Null: opens an index in memory. `language` is a part of the recipe of the index. A damaged index is put aside
 * and an index of another recipe is deleted; then a new index is begun. `knownDamage` tells of damage that was met before and that a check
 * may not see.
 * @throws Error of SQLite or the system when no index can be written there.
 */
export function openIndex(file: string | null, language = '', knownDamage?: string): OpenedIndex {
  const recipe = `${recipeNumber}:${language}`;
  if (file === null) return { database: prepared(new SqliteDatabase(':memory:'), recipe) };
  try {
    if (knownDamage !== undefined) throw Object.assign(new Error(knownDamage), { code: damaged });
    return { database: openFile(file, recipe) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const putAside = `${file}.damaged`;
    renameSync(file, putAside);
    removeIndex(file);
    return { database: openFile(file, recipe), damage: error.message, putAside };
  }
}

/** Whether the index itself is broken. Then neither another disk nor another attempt would help. */
export function isDamage(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB' || error.code === damaged;
}

const damaged = 'INDEX_DAMAGED';

function openFile(file: string, recipe: string): Database {
  createPrivately(file);
  const database = new SqliteDatabase(file, { timeout: 2_000 });
  try {
    check(database);
    const found = recipeOf(database);
    if (found === undefined || found === recipe) return prepared(database, recipe);
  } catch (error) {
    database.close();
    throw error;
  }
  database.close();
  removeIndex(file);
  return openFile(file, recipe);
}

function check(database: Database): void {
  const found: unknown = database.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw Object.assign(new Error(String(found).slice(0, 200)), { code: damaged });
}

/** Undefined: the database is empty. An index without its tables counts as one of another recipe. */
function recipeOf(database: Database): string | undefined {
  const names = database.prepare('select name from sqlite_schema').pluck().all();
  if (names.length === 0) return undefined;
  if (!names.includes('about')) return '';
  return String(database.prepare("select value from about where key = 'recipe'").pluck().get());
}

function prepared(database: Database, recipe: string): Database {
  database.pragma('journal_mode = WAL');
  // A power cut may lose the last changes. The next update makes them again from the files in the folder.
  database.pragma('synchronous = NORMAL');
  database.pragma(`cache_size = -${String(cacheKiB)}`);
  database.pragma(`journal_size_limit = ${String(logBytes)}`);
  if (recipeOf(database) === undefined) {
    database.transaction(() => {
      database.exec(tables);
      database.prepare("insert into about values ('recipe', ?)").run(recipe);
    })();
  }
  return database;
}

/**
 * Makes a file that only the server's user may read. The index holds the text of documents that not everybody may read. The folder is not
 * made: where it has gone, its volume may be away, and what were put in its place would be in the way of its return.
 */
function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

function removeIndex(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}
