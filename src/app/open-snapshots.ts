import { randomBytes } from 'node:crypto';
import { createAesRecordSealer } from '../adapters/snapshots/aes-record-sealer.ts';
import { createAesSnapshotSealer } from '../adapters/snapshots/aes-snapshot-sealer.ts';
import { keptKeys, readKeyFile } from '../adapters/snapshots/key-file.ts';
import { createUserMarks } from '../adapters/snapshots/user-marks.ts';
import { readSnapshotKey, type SnapshotKey } from '../adapters/snapshots/snapshot-key.ts';
import type { Stores } from '../adapters/stores/stores.ts';
import type { HelperSettings } from '../config/settings.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { UserErasure } from '../core/erasure/user-erasure.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import type { SnapshotSealer } from '../core/ports/snapshot-sealer.ts';
import { SessionSnapshots, type SessionSnapshotsOptions } from '../core/sessions/snapshot/session-snapshots.ts';
import type { CardRules } from '../core/sessions/snapshot/shown-messages.ts';
import type { ComposedTools } from './compose-tools.ts';
import { type DataKeys, LiveSealers } from './reload/live-sealers.ts';
import type { StoredTimes } from './stored-times.ts';

/**
 * The keys that `dataProtection` names, in the order in which they count (contract/sessions.md#snapshots).
 * @throws StartupFaults when the key file cannot be used.
 */
export async function configuredKeys(settings: HelperSettings): Promise<readonly SnapshotKey[]> {
  const { keys, keyFile } = settings.dataProtection;
  const given = keys.map(readSnapshotKey);
  if (keyFile === null) return given;
  try {
    return [...given, ...(await readKeyFile(keyFile))];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new StartupFaults([{ file: settings.configFile, path: 'dataProtection.keyFile', message }]);
  }
}

/**
 * The configured keys. Without any, the keys that are kept in `storage.path`; without these, a key that lasts as long as this process.
 * @throws Error when the kept key can be neither read nor made.
 */
export async function dataKeys(settings: HelperSettings, configured: readonly SnapshotKey[]): Promise<DataKeys> {
  const [first = newKey(), ...others] = configured.length > 0 ? configured : await storedKeys(settings.storage);
  return [first, ...others];
}

/** The sealers of snapshots and kept turns. They begin with these keys. */
export function openSealers(
  { appName, dataProtection }: HelperSettings,
  keys: DataKeys,
  times: StoredTimes,
): LiveSealers {
  const { maxAge: maxAgeMs } = dataProtection;
  return new LiveSealers(keys, (all) => ({
    records: createAesRecordSealer(all),
    snapshots: createAesSnapshotSealer({ keys: all, application: appName, maxAgeMs, now: () => times.now() }),
    marks: createUserMarks(all),
  }));
}

interface SnapshotServices extends Pick<SessionSnapshotsOptions, 'conversations'> {
  readonly sealer: SnapshotSealer;
  readonly tools: ComposedTools;
  readonly metrics: Metrics;
  readonly erasure: Pick<UserErasure, 'erasedAt'>;
}

/** The snapshots of conversations. `sealer` makes them unreadable for clients. */
export function openSnapshots(
  settings: HelperSettings,
  { sealer, tools, metrics, conversations, erasure }: SnapshotServices,
  stores: Pick<Stores, 'journal' | 'conversations'>,
): SessionSnapshots {
  return new SessionSnapshots({
    sealer,
    journal: stores.journal,
    toolbox: () => tools.toolbox.current,
    asksAgain: settings.hitlMode === 'Native',
    historyKeeper: settings.useServiceManagedHistory ? 'service' : 'application',
    cards: cardRules(settings),
    conversations,
    isDeleted: (id) => stores.conversations.isDeleted(id),
    erasedAt: (userKey) => erasure.erasedAt(userKey),
    metrics,
  });
}

/** The rules for showing cards of earlier messages. */
export function cardRules({ enableGenerativeCards, cards, links }: HelperSettings): CardRules {
  return { enableGenerativeCards, cardHosts: { images: cards.imageHosts, links: links.hosts } };
}

async function storedKeys(storage: HelperSettings['storage']): Promise<readonly SnapshotKey[]> {
  return storage.type === 'memory' ? [] : keptKeys(storage.path);
}

function newKey(): SnapshotKey {
  return readSnapshotKey(randomBytes(32).toString('base64'));
}
