import { readFile } from 'node:fs/promises';
import { keyFileOf, mergeKeyFiles } from '../../adapters/snapshots/key-file.ts';
import { backUpStorage } from '../../adapters/stores/embedded/backup/back-up-storage.ts';
import { holdFolder } from '../../adapters/stores/embedded/backup/hold-folder.ts';
import { restoreStorage } from '../../adapters/stores/embedded/backup/restore-storage.ts';

/**
 * Writes what is kept in `folder`, a `storage.path`, to `target`: the database, and the keys that are kept beside it
 * (contract/operations.md#backup). `target` must not exist. After a failure there is no `target`.
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

/** What a restored backup contains. */
export interface Restored {
  /** Epoch milliseconds. */
  readonly madeAt: number;
  /** Questions that nobody had answered by then. */
  readonly openQuestions: number;
}

/**
 * Puts a backup in place of what is kept in `folder`. The present keys stay first, and the keys of the backup come after them. Data that
 * was sealed after the backup can therefore still be opened.
 * @throws StorageFault that names the obstacle. Nothing has changed then.
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
