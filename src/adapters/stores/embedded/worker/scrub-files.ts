import type { Database } from 'better-sqlite3';

/** Pages that are given back in one go. They are so few that a commit which arrives meanwhile waits only milliseconds. */
const pagesAtOnce = 64;

/**
 * Takes one step towards files that hold nothing of what was erased. Unused pages go back to the disk; after that the log is written into
 * the database and emptied. Deleted rows leave no trace in the pages that stay (`secure_delete`). `more`: there are further unused pages.
 * `held`: somebody reads from the log, so it cannot be emptied now.
 * @throws what SQLite throws when it cannot write.
 */
export function scrubFiles(connection: Database): 'done' | 'more' | 'held' {
  if (canGiveBack(connection) && freePages(connection) > 0) {
    connection.exec(`pragma incremental_vacuum(${String(pagesAtOnce)})`);
    return 'more';
  }
  const waitMs = Number(connection.pragma('busy_timeout', { simple: true }));
  // A long reader, such as a backup, must not hold up the next commit, so this step does not wait for readers.
  connection.pragma('busy_timeout = 0');
  try {
    return Number(connection.pragma('wal_checkpoint(truncate)', { simple: true })) === 0 ? 'done' : 'held';
  } finally {
    connection.pragma(`busy_timeout = ${String(waitMs)}`);
  }
}

/**
 * Makes SQLite overwrite deleted rows with zeros. With `fast`, SQLite leaves unused pages as they are, until they are given back. In a
 * database that cannot give pages back, unused pages are overwritten too.
 */
export function deleteSecurely(connection: Database): void {
  connection.pragma(`secure_delete = ${canGiveBack(connection) ? 'fast' : 'on'}`);
}

/** Whether the database was made with `auto_vacuum = incremental`. */
function canGiveBack(connection: Database): boolean {
  return connection.pragma('auto_vacuum', { simple: true }) === 2;
}

function freePages(connection: Database): number {
  return Number(connection.pragma('freelist_count', { simple: true }));
}
