import { migrations } from '../sql/migrations.ts';
import { storesOn } from '../sql/stores-on.ts';
import type { StorageObserver } from '../storage-observer.ts';
import type { Stores } from '../stores.ts';
import { openEmbeddedDatabase } from './open-embedded-database.ts';

/**
 * The stores in the SQLite file of `folder` (contract/restarts.md).
 * @throws Error that says what to do when the folder or the file cannot be used.
 */
export async function openEmbeddedStores(folder: string, observer: StorageObserver): Promise<Stores> {
  return storesOn(await openEmbeddedDatabase(folder, migrations, observer));
}
