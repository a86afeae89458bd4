import { type FileHandle, open, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDatabase } from '../../adapters/stores/embedded/backup/remove-database.ts';
import { storageFiles } from '../../adapters/stores/embedded/storage-files.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { makeBackup } from './kept-files.ts';

/** Bytes that must stay free on the disk after the copy, for what the server itself writes. */
const leastLeftBytes = 64 * 1024 * 1024;

/**
 * What the running server does for `helper backup` (contract/operations.md#backup): it makes a copy in `folder` and opens the copy for the
 * client. The copy's name is deleted before the client reads it, so the copy leaves the disk however the request ends. A copy that an
 * earlier process left unfinished is deleted at once.
 * @returns a function that throws Error when there is no room for a copy, or while another backup is being made. It throws StorageFailed
 * when the copy cannot be written.
 */
export async function backupCommand(folder: string, clock: Clock): Promise<() => Promise<FileHandle>> {
  const target = join(folder, 'helper.backup');
  await removeDatabase(target);
  let isMaking = false;
  return async () => {
    if (isMaking) throw new Error('another backup is being made');
    isMaking = true;
    try {
      await checkRoom(folder);
      await makeBackup(folder, target, clock.now());
      return await open(target, 'r');
    } finally {
      await removeDatabase(target);
      isMaking = false;
    }
  };
}

async function checkRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const { size } = await stat(storageFiles(folder).database);
  if (bavail * bsize < size + leastLeftBytes)
    throw new Error('there is no room on the disk of storage.path for a copy');
}
