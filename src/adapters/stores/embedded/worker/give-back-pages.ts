import type { Database } from 'better-sqlite3';

/** Unused pages that are kept for the next rows: 512 KiB. */
const pagesKept = 128;

/** Pages that are given back in one go. They are so few that a commit which arrives meanwhile waits only milliseconds. */
const pagesAtOnce = 64;

/**
 * Gives a few unused pages back to the disk. Returns whether there are more. A database that was made without `auto_vacuum` keeps its pages
 * for later rows.
 */
export function giveBackPages(connection: Database): boolean {
  if (connection.pragma('auto_vacuum', { simple: true }) !== 2) return false;
  if (freePages(connection) <= pagesKept) return false;
  connection.exec(`pragma incremental_vacuum(${String(pagesAtOnce)})`);
  if (freePages(connection) > pagesKept) return true;
  // The file itself becomes shorter only when the log is written into it.
  connection.pragma('wal_checkpoint(passive)');
  return false;
}

function freePages(connection: Database): number {
  return Number(connection.pragma('freelist_count', { simple: true }));
}
