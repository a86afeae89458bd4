import type { Migration } from '../sql/migration.ts';
import type { StorageObserver } from '../storage-observer.ts';
import { describeStorageFault } from './describe-storage-fault.ts';
import { EmbeddedDatabase } from './embedded-database.ts';
import { compileMigrations } from './sqlite-queries.ts';
import { storageFiles } from './storage-files.ts';

/**
 * Opens, or creates, the SQLite database in `folder` and migrates it (contract/restarts.md). A commit is on the disk before it is
 * acknowledged. When this call makes the folder or the file, only the server's own user may read it.
 * @throws Error with the code STORAGE_UNUSABLE that says what to do when another process has the folder, when the folder cannot be written,
 * or when the file is damaged, locked or newer.
 */
export async function openEmbeddedDatabase(
  folder: string,
  migrations: readonly Migration[],
  observer: StorageObserver,
): Promise<EmbeddedDatabase> {
  const database = new EmbeddedDatabase({ folder, migrations: compileMigrations(migrations) }, observer);
  try {
    await database.open();
    return database;
  } catch (error) {
    const fault = new Error(describeStorageFault(error, storageFiles(folder)), { cause: error });
    throw Object.assign(fault, { code: 'STORAGE_UNUSABLE' });
  }
}
