import { statSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { StorageFiles } from '../storage-files.ts';
import { checkLog } from './check-log.ts';
import { StorageFault } from './fault-of.ts';
import { createPrivately, type FolderLock } from './folder-lock.ts';
import { deleteSecurely } from './scrub-files.ts';

/** How long a statement waits for another program that has the file locked. */
const busyTimeoutMs = 2_000;

/** A write-ahead log that has grown beyond this size is cut when it begins again. */
const logBytes = 4 * 1024 * 1024;

/** Opens the database for reading only, beside the writer. */
export function openReader(files: StorageFiles): Database {
  const connection = new SqliteDatabase(files.database, { fileMustExist: true, timeout: busyTimeoutMs });
  connection.pragma('query_only = on');
  return connection;
}

/** Opens the database for the writer. A commit is on the disk when its statement returns (contract/confirmations.md#the-journal). */
export function openWriter(files: StorageFiles): Database {
  createPrivately(files.database);
  const connection = new SqliteDatabase(files.database, { timeout: busyTimeoutMs });
  try {
    // With this setting unused pages can be given back. The setting works on a new file only, and before its first table.
    connection.pragma('auto_vacuum = incremental');
    connection.pragma('journal_mode = WAL');
    // FULL syncs the write-ahead log at every commit, NORMAL only at checkpoints.
    connection.pragma('synchronous = FULL');
    connection.pragma(`journal_size_limit = ${String(logBytes)}`);
    deleteSecurely(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Checks what the last process left, before SQLite opens it. Where something was lost, SQLite would begin a new database.
 * @returns whether there is no database yet.
 * @throws StorageFault when there was one and it is empty, or its log is damaged.
 */
export function checkWhatIsThere(
  files: StorageFiles,
  { hadDatabase, isSameBoot }: Pick<FolderLock, 'hadDatabase' | 'isSameBoot'>,
): boolean {
  const size = sizeOf(files.database);
  if (size !== undefined && size > 0) {
    checkLog(files, isSameBoot);
    return false;
  }
  const isLogThere = hasLog(files);
  if (size === 0 && (hadDatabase || isLogThere)) {
    throw new StorageFault('DATABASE_EMPTIED', `${files.database} is empty, and it was not before`);
  }
  if (isLogThere) {
    throw new StorageFault('DATABASE_MISSING', `${files.log} is there without its database ${files.database}`);
  }
  return true;
}

/** Whether the last process has left a log. Then that process ended without closing the database. */
export function hasLog(files: StorageFiles): boolean {
  return (sizeOf(files.log) ?? 0) > 0;
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size;
}
