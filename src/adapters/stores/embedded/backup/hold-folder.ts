import { existsSync } from 'node:fs';
import { storageFiles } from '../storage-files.ts';
import { FolderLock } from '../worker/folder-lock.ts';

/**
 * Takes the lock of a folder that has a database, so that no server starts on it before the returned function is called.
 * @throws StorageFault FOLDER_IN_USE when a server has it; Error when there is no database.
 */
export function holdFolder(folder: string): () => void {
  const files = storageFiles(folder);
  if (!existsSync(files.database)) throw new Error(`${folder} has no database`);
  const lock = FolderLock.take(files);
  return () => lock.release();
}
