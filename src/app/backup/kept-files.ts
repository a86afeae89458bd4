import { readFile } from 'node:fs/promises';
import { keyFileOf, mergeKeyFiles } from '../../adapters/snapshots/key-file.ts';
import { backUpStorage } from '../../adapters/stores/embedded/backup/back-up-storage.ts';
import { holdFolder } from '../../adapters/stores/embedded/backup/hold-folder.ts';
import { restoreStorage } from '../../adapters/stores/embedded/backup/restore-storage.ts';

/**
 * Writes what is kept in `folder`, a `storage.path`, to `target`: the database, and the keys that are kept beside it
 * (contract/operations.md#backup). `target` must not exist; nothing is left there when it fails.
 * @throws StorageFailed with what SQLite or the operating system says.
 */
export async function makeBackup(folder: string, target: string, now: number): Promise<void> {
  const keys = await readFile(keyFileOf(folder), 'utf8').catch(ifAbsent);
  await backUpStorage(folder, target, { madeAt: now, keys });
}

/**
 * As `makeBackup`, of a folder that no server uses.
 * @throws also StorageFault FOLDER_IN_USE when one has it, and Error when it has no database.
 */
export async function makeBackupAlone(folder: string, target: string, now: number): Promise<void> {
  const release = holdFolder(folder);
  try {
    await makeBackup(folder, target, now);
  } finally {
    release();
  }
}

/** What was put back. */
export interface Restored {
  /** Epoch milliseconds. */
  readonly madeAt: number;
  /** Questions that nobody had answered by then. */
  readonly openQuestions: number;
}

/**
 * Puts a backup in place of what is kept in `folder`. Keys that are there stay, and those of the backup come behind them, so that what was
 * sealed since then can still be opened.
 * @throws StorageFault that says what keeps it from that; nothing has changed then.
 */
export async function restoreBackup(
  file: string,
  { folder, replace }: { readonly folder: string; readonly replace: boolean },
): Promise<Restored> {
  const keepKeys = (text: string): Promise<void> => mergeKeyFiles(keyFileOf(folder), text);
  return restoreStorage(file, { folder, replace, keepKeys });
}

function ifAbsent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
