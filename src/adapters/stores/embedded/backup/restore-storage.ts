import { copyFile, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { keyFileOf, mergeKeyFiles } from '../../../snapshots/key-file.ts';
import { migrations } from '../../sql/migrations.ts';
import { storageFiles, type StorageFiles } from '../storage-files.ts';
import { StorageFault } from '../worker/fault-of.ts';
import { FolderLock } from '../worker/folder-lock.ts';
import { type BackupContent, makeDatabase, readBackup } from './backup-file.ts';

/**
 * Puts a backup in place of the storage in `folder`, which no server may use meanwhile (contract/operations.md#backup). The folder has the
 * whole of it or, with any fault, what it had before. Keys that are kept there stay beside those of the backup, so that what was sealed
 * since then can still be opened.
 * @throws StorageFault: NO_BACKUP, FOLDER_IN_USE, NEWER_BACKUP, or NOT_EMPTY without `replace` when there is a database.
 */
export async function restoreStorage(
  file: string,
  { folder, replace }: { readonly folder: string; readonly replace: boolean },
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
    await put(file, files, content);
    lock.sign(true);
    return content;
  } finally {
    lock.release();
  }
}

async function put(file: string, files: StorageFiles, { keys }: BackupContent): Promise<void> {
  const draft = `${files.database}.restoring`;
  await rm(draft, { force: true });
  try {
    await writeFile(draft, '', { mode: 0o600, flag: 'wx' });
    await copyFile(file, draft);
    makeDatabase(draft);
    if (keys !== null) await mergeKeyFiles(keyFileOf(files.folder), keys);
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
