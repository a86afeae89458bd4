import { copyFile, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { migrations } from '../../sql/migrations.ts';
import { storageFiles, type StorageFiles } from '../storage-files.ts';
import { StorageFault } from '../worker/fault-of.ts';
import { FolderLock } from '../worker/folder-lock.ts';
import { type BackupContent, makeDatabase, readBackup } from './backup-file.ts';

export interface RestoreOptions {
  /** `storage.path`. */
  readonly folder: string;
  /** Whether it may take the place of a database that is there. */
  readonly replace: boolean;
  /** Takes the text of a key file. */
  readonly keepKeys: (text: string) => Promise<void>;
}

/**
 * Puts a backup in place of the storage in `folder`, which no server may use meanwhile (contract/operations.md#backup). The folder has the
 * whole of it or, with any fault, what it had before. `keepKeys` is given the keys of the backup before its database is in place.
 * @throws StorageFault: NO_BACKUP, FOLDER_IN_USE, NEWER_BACKUP, or NOT_EMPTY without `replace` when there is a database.
 */
export async function restoreStorage(
  file: string,
  { folder, replace, keepKeys }: RestoreOptions,
): Promise<BackupContent> {
  const content = readBackup(file);
  if (content.schema > migrations.length) {
    throw new StorageFault(
      'NEWER_BACKUP',
      `${file} was written by a newer version of this server: restore it with that one`,
    );
  }
  const files = storageFiles(folder);
  const lock = FolderLock.take(files);
  try {
    if (!replace && (await isThere(files.database))) {
      throw new StorageFault('NOT_EMPTY', `${files.database} is there: --replace puts the backup in its place`);
    }
    await put(file, files, content.keys === null ? undefined : () => keepKeys(content.keys ?? ''));
    lock.sign(true);
    return content;
  } finally {
    lock.release();
  }
}

async function put(file: string, files: StorageFiles, keepKeys?: () => Promise<void>): Promise<void> {
  const draft = `${files.database}.restoring`;
  await rm(draft, { force: true });
  try {
    await writeFile(draft, '', { mode: 0o600, flag: 'wx' });
    await copyFile(file, draft);
    makeDatabase(draft);
    await keepKeys?.();
    // The log of the earlier database must not be read into this one.
    await rm(files.log, { force: true });
    await rm(files.logIndex, { force: true });
    await rename(draft, files.database);
    await syncFolder(files.folder);
  } finally {
    await rm(draft, { force: true });
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
