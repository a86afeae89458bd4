import type { Stores } from '../../adapters/stores/stores.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { DailyPurge } from '../daily-purge.ts';
import type { Resource } from '../open-resources.ts';

/**
 * Milliseconds for which the vectors of a text are kept that is in no folder any more. Servers that run say every day which ones they use
 * (contract/document-folders.md#vectors-in-the-database).
 */
const unusedMs = 14 * 24 * 60 * 60 * 1_000;

/** Deletes vectors of documents that nobody uses, now and once a day. Resolves with nothing where vectors are in the indexes alone. */
export async function purgingVectors(
  { passageVectors }: Pick<Stores, 'passageVectors'>,
  clock: Clock,
  services: { readonly log: Logger; readonly metrics: Metrics },
): Promise<readonly Resource[]> {
  if (passageVectors === undefined) return [];
  const purge = new DailyPurge('vectors', () => passageVectors.purge(clock.now() - unusedMs), services);
  await purge.now();
  return [purge];
}
