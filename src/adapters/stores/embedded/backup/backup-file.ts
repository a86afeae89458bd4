import { closeSync, fsyncSync, openSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { BackupNote } from '../messages.ts';
import type { StorageFiles } from '../storage-files.ts';
import { StorageFault } from '../worker/fault-of.ts';
import { createPrivately } from '../worker/folder-lock.ts';
import { openReader } from '../worker/open-connection.ts';

/** What can be read from a backup without changing anything. */
export interface BackupContent extends BackupNote {
  /** How many migrations the database has had. */
  readonly schema: number;
  /** The number of questions that nobody had answered. */
  readonly openQuestions: number;
}

/**
 * Writes the database, as it is at this moment, to `target`, which must not exist or must be empty. The result is one SQLite file; a table
 * of its own holds `note`. Writers of the database do not wait meanwhile.
 * @throws what SQLite says when it cannot be read or written.
 */
export function writeBackup(files: StorageFiles, target: string, note: BackupNote): void {
  createPrivately(target);
  const source = openReader(files);
  try {
    // The statement writes to the copy only, but SQLite counts it as a change.
    source.pragma('query_only = off');
    source.prepare('vacuum into ?').run(target);
  } finally {
    source.close();
  }
  const copy = new SqliteDatabase(target, { fileMustExist: true });
  try {
    copy.exec('create table "helper_backup" ("made_at" integer not null, "keys" text)');
    copy.prepare('insert into "helper_backup" values (?, ?)').run(note.madeAt, note.keys);
  } finally {
    copy.close();
  }
  syncFile(target);
}

/**
 * Reads and checks a backup.
 * @throws StorageFault NO_BACKUP when the file is no backup, or is damaged.
 */
export function readBackup(file: string): BackupContent {
  const connection = openForReading(file);
  try {
    if (connection.pragma('integrity_check', { simple: true }) !== 'ok') throw noBackup(file, 'it is damaged');
    const keys = connection.prepare('select "keys" from "helper_backup"').pluck().get();
    return {
      madeAt: count(connection, 'select "made_at" from "helper_backup"'),
      keys: typeof keys === 'string' ? keys : null,
      schema: count(connection, 'select max("version") from "schema_migration"'),
      openQuestions: count(connection, `select count(*) from "confirmation" where "state" = 'requested'`),
    };
  } catch (error) {
    if (error instanceof StorageFault) throw error;
    throw noBackup(file, error instanceof Error ? error.message : String(error));
  } finally {
    connection.close();
  }
}

/** Turns `target`, a copy of a backup, into a database: removes the table that only a backup has. */
export function makeDatabase(target: string): void {
  const connection = new SqliteDatabase(target, { fileMustExist: true });
  try {
    connection.exec('drop table "helper_backup"');
  } finally {
    connection.close();
  }
  syncFile(target);
}

function openForReading(file: string): Database {
  try {
    return new SqliteDatabase(file, { fileMustExist: true, readonly: true });
  } catch (error) {
    throw noBackup(file, error instanceof Error ? error.message : String(error));
  }
}

function noBackup(file: string, reason: string): StorageFault {
  return new StorageFault('NO_BACKUP', `${file} is no backup that can be used: ${reason}`);
}

/** @throws StorageFault when the query finds no number. */
function count(connection: Database, query: string): number {
  const value = connection.prepare(query).pluck().get();
  if (typeof value !== 'number') throw noBackup(connection.name, 'it is not whole');
  return value;
}

function syncFile(file: string): void {
  const handle = openSync(file, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
