import type { Stores } from '../../adapters/stores/stores.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { Resource } from '../open-resources.ts';

const dayMs = 24 * 60 * 60 * 1000;

interface PurgeServices {
  readonly stores: Pick<Stores, 'conversations' | 'erasures'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/**
 * Deletes conversations whose time is over, now and once a day (contract/operations.md#retention), and forgets what was deleted or erased
 * before the oldest snapshot that can still be restored.
 */
export async function purgeConversations(settings: HelperSettings, services: PurgeServices): Promise<Resource> {
  const purge = (): Promise<void> => purgeOnce(settings, services);
  await purge();
  const timer = setInterval(() => {
    purge().catch((error: unknown) => {
      services.log.warn({ error }, 'old conversations could not be deleted; the next attempt is tomorrow');
    });
  }, dayMs).unref();
  return {
    name: 'purging of conversations',
    close: () => {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}

async function purgeOnce(
  { retention, dataProtection }: HelperSettings,
  { stores, clock, metrics }: PurgeServices,
): Promise<void> {
  const now = clock.now();
  const oldest = now - dataProtection.maxAge;
  metrics.purged('conversations', await stores.conversations.purge(now - retention.conversations, oldest, now));
  await stores.erasures.forget(oldest);
}
