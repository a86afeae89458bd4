import type { Stores } from '../../adapters/stores/stores.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Clock } from '../../core/ports/clock.ts';

type Ages = Pick<HelperSettings, 'retention' | 'dataProtection'>;

/**
 * Deletes conversations whose time is over (contract/operations.md#retention), and forgets what was deleted or erased before the oldest
 * snapshot that can still be restored. Resolves with how many conversations were deleted.
 */
export async function purgeConversations(
  { conversations, erasures }: Pick<Stores, 'conversations' | 'erasures'>,
  { retention, dataProtection }: Ages,
  clock: Clock,
): Promise<number> {
  const now = clock.now();
  const oldest = now - dataProtection.maxAge;
  const deleted = await conversations.purge(now - retention.conversations, oldest, now);
  await erasures.forget(oldest);
  return deleted;
}
