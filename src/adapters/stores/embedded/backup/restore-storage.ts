import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { migrations } from '../../sql/migrations.ts';
import { storageFiles, type StorageFiles } from '../storage-files.ts';
import { StorageFault } from '../worker/fault-of.ts';
import { FolderLock } from '../worker/folder-lock.ts';
import { type BackupContent, makeDatabase, readBackup } from './backup-file.ts';
import { restoreFiles, settleRestore } from './settle-restore.ts';

export interface RestoreOptions {
  /** `storage.path`. */
  readonly folder: string;
  /** Whether the backup may replace a database that is there. */
  readonly replace: boolean;
  /** Called with the text of the key file in the backup, if the backup has one. */
  readonly keepKeys: (text: string) => Promise<void>;
}

/**
 * Puts a backup in place of the storage in `folder`, which no server may use meanwhile (contract/operations.md#backup). After a fault the
 * folder holds the same as before. After a crash in the middle, the next process that takes the folder finds either the earlier database or
 * the backup. `keepKeys` gets the keys of the backup before its database is in place.
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
    const { keys } = content;
    await put(file, files, async () => {
      if (keys !== null) await keepKeys(keys);
      lock.sign(true);
    });
    return content;
  } finally {
    lock.release();
  }
}

/** `prepare` is the last step while the earlier database is in its place. A fault before or in this step changes nothing. */
async function put(file: string, files: StorageFiles, prepare: () => Promise<void>): Promise<void> {
  const { draft, log } = restoreFiles(files);
  try {
    // Other users may be able to read the backup, but they must not read the database.
    await pipeline(createReadStream(file), createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
    makeDatabase(draft);
    await prepare();
    if (await isThere(files.log)) await rename(files.log, log);
    await rename(draft, files.database);
  } finally {
    settleRestore(files);
  }
  await syncFolder(files.folder);
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
