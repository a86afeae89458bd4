import { existsSync, renameSync, rmSync } from 'node:fs';
import type { StorageFiles } from '../storage-files.ts';

/** The files of a restore that is under way. */
export interface RestoreFiles {
  /** The backup, until it is moved to the place of the database. */
  readonly draft: string;
  /** The log of the earlier database. SQLite must not apply it to the restored one. */
  readonly log: string;
}

/** The names of these files. */
export function restoreFiles({ database, log }: StorageFiles): RestoreFiles {
  return { draft: `${database}.restoring`, log: `${log}.replaced` };
}

/**
 * Ends a restore, even one that failed or was killed. Afterwards there is one whole database with its own log. While the draft is there,
 * the earlier database is in its place, so it gets its log back. The caller holds the folder.
 * @throws what the operating system says. The call may be repeated then.
 */
export function settleRestore(files: StorageFiles): void {
  const { draft, log } = restoreFiles(files);
  const isReplaced = !existsSync(draft);
  if (existsSync(log) && !isReplaced) renameSync(log, files.log);
  if (existsSync(log)) {
    rmSync(files.logIndex, { force: true });
    rmSync(log, { force: true });
  }
  rmSync(draft, { force: true });
  rmSync(`${draft}-journal`, { force: true });
}
