import { closeSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';

/** Raised when what stands in an index changes: chunks, tokens, readers, tables. An index of another number is built anew. */
const recipeNumber = '4';

const cacheKiB = 8 * 1024;
const logBytes = 4 * 1024 * 1024;

/**
 * `chunk.id` is never given twice, so that whatever refers to it never means another text. `words` keeps no text, only
 * which token is where. Tokens are made by our own code, so SQLite takes whatever stands between spaces. A vector belongs to a text
 * (`hash`), not to a chunk: a file that is read again, or stands there twice, needs no new one.
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

/** An index that is open, and what had to be done for it. */
export interface OpenedIndex {
  readonly database: Database;
  /** Why the index that was there was put aside; undefined: it was not. */
  readonly damage?: string;
  /** Where it is now. */
  readonly putAside?: string;
}

/**
 * Opens the index in `file`, or one in memory. `language` is part of how it is made. A damaged index is put aside, one of another
 * recipe is deleted, and a new one begun. `knownDamage` tells of damage that was met before, which a check may not see.
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

/** Whether the index itself is broken, and no other disk or moment would help. */
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

/** Undefined: nothing is in it yet. An index without its tables is one of another recipe. */
function recipeOf(database: Database): string | undefined {
  const names = database.prepare('select name from sqlite_schema').pluck().all();
  if (names.length === 0) return undefined;
  if (!names.includes('about')) return '';
  return String(database.prepare("select value from about where key = 'recipe'").pluck().get());
}

function prepared(database: Database, recipe: string): Database {
  database.pragma('journal_mode = WAL');
  // A power cut may cost the last changes, which are made again: the index is made of files that are still there.
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

/** It holds the text of documents that not everybody may read. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

function removeIndex(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}
