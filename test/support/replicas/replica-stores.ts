import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { newReplicaId } from '../../../src/adapters/bus/replica-id.ts';
import { openStores } from '../../../src/adapters/stores/open-stores.ts';
import type { LeaseTimes } from '../../../src/adapters/stores/postgres/replica-lease.ts';
import type { Stores } from '../../../src/adapters/stores/stores.ts';
import type { PostgresStorage } from '../databases/postgres.ts';

/** The stores of one replica. */
export interface ReplicaStores extends Stores {
  readonly replica: string;
  /** Ends the replica: the others may take over at once what it holds. It may be called more than once. */
  end(): Promise<void>;
}

/** A replica that never says again that it lives, and that counts as dead 200 ms after its start, for replicas with the same lease. */
export const silent: LeaseTimes = { beatMs: 60_000, leaseMs: 200 };

/** A replica that says all the time that it lives, and that takes silent ones for dead. */
export const beating: LeaseTimes = { beatMs: 20, leaseMs: 200 };

/** Opens the stores of one more replica on the same database. */
export async function openReplica(storage: PostgresStorage, lease?: LeaseTimes): Promise<ReplicaStores> {
  const path = await mkdtemp(join(tmpdir(), 'replica-'));
  const replica = newReplicaId();
  const stores = await openStores({ ...storage, path, replica, lease });
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => (ended ??= stores.journal.close());
  onTestFinished(async () => {
    await end();
    await rm(path, { recursive: true, force: true });
  });
  return { ...stores, replica, end };
}

/** What only stores have that replicas share. */
export function sharedOf<Shared>(shared: Shared | undefined): Shared {
  if (shared === undefined) throw new Error('the stores are not shared');
  return shared;
}
