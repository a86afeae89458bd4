import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { indexesOfOthers } from '../../adapters/knowledge/files/index-names.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Logger } from '../../core/ports/logger.ts';

/**
 * Makes the folder of the indexes, once, for the server's own user. Deletes the indexes of folders that are no longer configured, because
 * nobody would update the texts in them (contract/document-folders.md#index). The lock of `storage.path` must be held. Never rejects: what
 * fails is logged.
 */
export async function prepareIndexFolder({ storage, ragSources }: HelperSettings, log: Logger): Promise<void> {
  if (storage.type === 'memory') return;
  const { path } = storage;
  const sources = ragSources.filter(({ type }) => type === 'files').map(({ name }) => name);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const unused = indexesOfOthers(await readdir(path), sources);
    for (const file of unused) await rm(join(path, file));
    if (unused.length > 0)
      log.info({ files: unused }, 'indexes of documents that are no longer configured were deleted');
  } catch (error) {
    log.warn({ error }, 'indexes of documents that are no longer configured could not be deleted');
  }
}
