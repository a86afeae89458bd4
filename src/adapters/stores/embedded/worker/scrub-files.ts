import type { Database } from 'better-sqlite3';

/** Pages given back in one go: so few that a commit that comes meanwhile waits only milliseconds. */
const pagesAtOnce = 64;

/**
 * Takes a step towards files that hold nothing of what was erased: pages that nothing uses any more go back to the disk, then the log is
 * written into the database and emptied. Rows leave no trace in the pages that stay (`secure_delete`). `more`: there are further
 * pages. `held`: somebody reads from the log, so that it cannot be emptied now.
 * @throws what SQLite throws when it cannot write.
 */
export function scrubFiles(connection: Database): 'done' | 'more' | 'held' {
  if (canGiveBack(connection) && freePages(connection) > 0) {
    connection.exec(`pragma incremental_vacuum(${String(pagesAtOnce)})`);
    return 'more';
  }
  const waitMs = Number(connection.pragma('busy_timeout', { simple: true }));
  // Whoever reads for long, as a backup does, must not hold up the next commit.
  connection.pragma('busy_timeout = 0');
  try {
    return Number(connection.pragma('wal_checkpoint(truncate)', { simple: true })) === 0 ? 'done' : 'held';
  } finally {
    connection.pragma(`busy_timeout = ${String(waitMs)}`);
  }
}

/**
 * Has SQLite put zeros over rows that are deleted. With `fast`, pages that hold nothing any more stay as they are until they are given
 * back; a database that cannot give them back has them overwritten too.
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
