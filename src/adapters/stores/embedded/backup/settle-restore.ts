import { existsSync, renameSync, rmSync } from 'node:fs';
import type { StorageFiles } from '../storage-files.ts';

/** The files of a restore that is under way. */
export interface RestoreFiles {
  /** The backup, on its way to the place of the database. */
  readonly draft: string;
  /** The log of the earlier database, which must not be read into the later one. */
  readonly log: string;
}

/** Their names. */
export function restoreFiles({ database, log }: StorageFiles): RestoreFiles {
  return { draft: `${database}.restoring`, log: `${log}.replaced` };
}

/**
 * Ends a restore, also one that failed or was killed: there is one whole database afterwards, with its own log. As long as the draft
 * is there, the earlier database is in its place and gets its log back. The caller holds the folder.
 * @throws what the operating system says. It can be asked again then.
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
