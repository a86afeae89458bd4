import { setTimeout as passed } from 'node:timers/promises';
import { FolderLock } from '../../adapters/stores/embedded/worker/folder-lock.ts';
import { storageFiles } from '../../adapters/stores/embedded/storage-files.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { openLogger } from '../open-logger.ts';
import { prepareParts } from '../open-core.ts';
import type { KnowledgeQuery, KnowledgeReport } from './report-knowledge.ts';

/** Milliseconds between two looks at folders that are still read. */
const lookEveryMs = 50;

/**
 * What `helper knowledge` shows where no server runs (contract/knowledge.md#command). Folders are read first, into the index that the next
 * server goes on with. `storage.path` is held meanwhile.
 * @throws StorageFault FOLDER_IN_USE when a server has just taken the folder; StartupFaults when the configuration cannot be served, or a plugin does not start; the
 * signal's reason once that aborts.
 */
export async function reportKnowledgeAlone(
  settings: HelperSettings,
  asked: KnowledgeQuery,
  signal: AbortSignal,
): Promise<KnowledgeReport> {
  const lock = settings.storage.type === 'memory' ? undefined : FolderLock.take(storageFiles(settings.storage.path));
  try {
    const { logger } = await openLogger({ level: 'silent', format: 'json' });
    const { prepared, resources } = await prepareParts(settings, logger);
    try {
      // A plugin may prepare its sources in `start`, so plugins with sources start first. They are stopped with the other resources.
      const isAsked = settings.useRag && asked.query !== undefined;
      const finding = prepared.plugins.filter(({ sources = [] }) => isAsked && sources.length > 0);
      for (const plugin of finding) await plugin.start();
      prepared.knowledge.start();
      if (settings.useRag) await untilRead(() => prepared.knowledge.report({ roles: [] }), signal);
      return await prepared.knowledge.report(asked);
    } finally {
      await resources.close(0);
    }
  } finally {
    lock?.release();
  }
}

/** Resolves once no folder is read any more. How long that takes depends on what is in the folders; the user may stop it. */
async function untilRead(look: () => Promise<KnowledgeReport>, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { sources } = await look();
    if (sources.every(({ state }) => state === undefined || state.phase !== 'indexing')) return;
    await passed(lookEveryMs, undefined, { signal });
  }
}
