import type { Database } from 'better-sqlite3';

/** Kept for what is written next: 512 KiB. */
const pagesKept = 128;

/** Pages given back in one go: so few that a commit that comes meanwhile waits only milliseconds. */
const pagesAtOnce = 64;

/**
 * Gives a few pages that nothing uses any more back to the disk; true while there are more. A database that was made
 * without `auto_vacuum` keeps its pages for later rows.
 */
export function giveBackPages(connection: Database): boolean {
  if (connection.pragma('auto_vacuum', { simple: true }) !== 2) return false;
  if (freePages(connection) <= pagesKept) return false;
  connection.exec(`pragma incremental_vacuum(${String(pagesAtOnce)})`);
  if (freePages(connection) > pagesKept) return true;
  // The file itself is cut when the log is written into it.
  connection.pragma('wal_checkpoint(passive)');
  return false;
}

function freePages(connection: Database): number {
  return Number(connection.pragma('freelist_count', { simple: true }));
}
