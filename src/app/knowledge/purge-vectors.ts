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

/**
 * Milliseconds after the start before anything is deleted. Where all servers were away for longer than `unusedMs`, folders take from the
 * database meanwhile what they need, and say so.
 */
const firstAfterMs = 60 * 60 * 1_000;

/** Deletes vectors of documents that nobody uses, soon and once a day. Nothing to do where vectors are in the indexes alone. */
export function purgingVectors(
  { passageVectors }: Pick<Stores, 'passageVectors'>,
  clock: Clock,
  services: { readonly log: Logger; readonly metrics: Pick<Metrics, 'purged'> },
): readonly Resource[] {
  if (passageVectors === undefined) return [];
  const daily = new DailyPurge('vectors', () => passageVectors.purge(clock.now() - unusedMs), services);
  const first = setTimeout(() => void daily.now(), firstAfterMs).unref();
  const close = (): Promise<void> => {
    clearTimeout(first);
    return daily.close();
  };
  return [{ name: daily.name, close }];
}
