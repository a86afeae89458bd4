import { openStores } from '../../adapters/stores/open-stores.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Erased, UserErasure } from '../../core/erasure/user-erasure.ts';
import { isUserKey } from '../../core/identity/user-key.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { loadPluginsOf } from '../load-plugins-of.ts';
import { factStore } from '../memory/open-memory.ts';
import { openNetwork } from '../open-network.ts';
import { configuredKeys, dataKeys, openSealers } from '../open-snapshots.ts';
import { openStoredTimes } from '../stored-times.ts';
import { systemClock } from '../system-clock.ts';
import { withHistoryOf } from './history-keeper.ts';
import { openErasure } from './open-conversations.ts';

const nobody =
  'there is no such user key: they look like id:ann, or tenant:acme/id:ann, as the security log prints them';

/**
 * What the running server does for `helper erase` (contract/operations.md#erase).
 * @returns a function that throws Error when the JSON that was sent names no user, and whatever `UserErasure.erase` throws.
 */
export function eraseCommand(erasure: Pick<UserErasure, 'erase'>): (sent: unknown) => Promise<Erased> {
  return (sent) => {
    const user = typeof sent === 'object' && sent !== null && 'user' in sent ? sent.user : undefined;
    return isUserKey(user) ? erasure.erase(user) : Promise.reject(new Error(nobody));
  };
}

/**
 * Erases a user from a storage that no server uses, and from the plugins that keep data of users.
 * @throws StartupFaults when a plugin is at fault.
 * @throws Error that says what to do when a server uses the storage, or when the storage cannot be used.
 */
export async function eraseAlone(settings: HelperSettings, user: string): Promise<Erased> {
  if (!isUserKey(user)) throw new Error(nobody);
  openNetwork(settings);
  const plugins = (await loadPluginsOf(settings, silent)).filter((plugin) => plugin.memory ?? plugin.history);
  const opened = await openStores(settings.storage);
  try {
    for (const plugin of plugins) await plugin.start();
    const stores = withHistoryOf(plugins, opened, silent);
    const times = await openStoredTimes(settings, { stores, clock: systemClock, log: silent });
    const sealers = openSealers(settings, await dataKeys(settings, await configuredKeys(settings)), times);
    const parts = { stores, facts: factStore(plugins, opened.memory), sealers, times, log: silent };
    return await openErasure(settings, parts, undefined).erase(user);
  } finally {
    await Promise.all(plugins.map((plugin) => plugin.stop()));
    await opened.journal.close();
  }
}

/** Nothing is logged, because the command prints what was erased. */
const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
};
