import type { StorageOptions } from '../../adapters/stores/open-stores.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { ReplicaBus } from '../../core/ports/replica-bus.ts';
import type { ReadinessCheck } from '../../channels/ops/readiness.ts';
import type { OpenResources } from '../open-resources.ts';
import type { PreparedServer } from '../prepare-server.ts';
import type { DataKeys } from '../reload/live-sealers.ts';
import { redisAddressOf } from './redis-address-of.ts';

interface BusParts {
  readonly prepared: Pick<PreparedServer, 'keys'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly resources: Pick<OpenResources, 'add'>;
}

/** The bus of this replica. A reload replaces its keys. */
export interface OpenBus extends ReplicaBus {
  /** Uses other keys from now on. The first one seals, and all of them open. */
  useKeys(keys: DataKeys): void;
}

/**
 * Joins this replica to the others, and registers the bus to close. Undefined without `scaleOut`. Redis may be away at the start: then the
 * server starts all the same, and the bus goes on trying (contract/replicas.md#away).
 */
export async function openBus(
  { scaleOut }: Pick<HelperSettings, 'scaleOut'>,
  { prepared, clock, log, resources }: BusParts,
): Promise<OpenBus | undefined> {
  const address = redisAddressOf(scaleOut);
  if (address === undefined) return undefined;
  // Loaded only for replicas: every other start would pay for a client of Redis.
  const { openRedisBus } = await import('../../adapters/bus/open-bus.ts');
  const [first, ...others] = prepared.keys.dataKeys;
  // The rules of the configuration guarantee a key.
  if (first === undefined) throw new Error('a replica needs a key of dataProtection');
  const bus = await openRedisBus({ address, prefix: scaleOut.prefix }, { keys: [first, ...others], clock, log });
  resources.add({ name: 'bus', close: () => bus.close() });
  log.info({ replica: bus.replica, isBusUp: bus.isUp }, 'this server is one of several replicas');
  return bus;
}

/** The storage, which replicas use together. */
export function storageOf(
  { storage }: Pick<HelperSettings, 'storage'>,
  bus: Pick<ReplicaBus, 'replica'> | undefined,
): StorageOptions {
  return storage.type === 'postgres' ? { ...storage, replica: bus?.replica } : storage;
}

/** What `/readyz` says of the bus (contract/replicas.md#away). */
export function readinessOfBus(bus: Pick<ReplicaBus, 'isUp'> | undefined): readonly ReadinessCheck[] {
  return bus === undefined ? [] : [{ name: 'bus', state: bus.isUp ? 'ok' : 'degraded' }];
}
