import { keptKeysIn } from '../../adapters/snapshots/key-file.ts';
import { type CopiedTable, copyStorage } from '../../adapters/stores/copy/copy-storage.ts';
import { unobserved } from '../../adapters/stores/storage-observer.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { configuredKeys, dataKeys } from '../open-snapshots.ts';

/**
 * Copies what embedded storage keeps in `folder` into the database of `settings` (contract/operations.md#copying).
 * @throws Error with what to do when the copy cannot be made. The database is then as it was.
 */
export async function copyToPostgres(settings: HelperSettings, folder: string): Promise<readonly CopiedTable[]> {
  const { storage } = settings;
  if (storage.type !== 'postgres') throw new Error('storage.type must be postgres: the data is copied there');
  await requireKeys(settings, folder);
  return copyStorage(folder, storage.url, unobserved);
}

/** Turns and conversations in the folder are sealed. The server that goes on with them needs the keys that lie beside them. */
async function requireKeys(settings: HelperSettings, folder: string): Promise<void> {
  const kept = await keptKeysIn(folder);
  const known = (await dataKeys(settings, await configuredKeys(settings))).map(({ id }) => id);
  if (kept.every(({ id }) => known.includes(id))) return;
  throw new Error(
    `dataProtection must name the keys of ${folder}/keys.json too, as keyFile: data there is sealed with them`,
  );
}
