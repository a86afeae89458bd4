import type { ReadinessCheck } from '../../channels/ops/readiness.ts';

/** How the storage is asked. */
export interface StorageReadinessOptions {
  /** Whether something can be stored now. MUST NOT reject. */
  readonly isWritable: () => Promise<boolean>;
  /** Whether other replicas use the same storage. */
  readonly isShared: boolean;
}

/**
 * What `/readyz` says of the storage (contract/operations.md#probes). Storage of one server must take writes: without it no action that asks
 * first can run. Storage that replicas share is away for all of them at once. A balancer that took all of them out would end the turns that
 * need no storage too, so it only degrades a replica that has reached it once (contract/replicas.md#away).
 */
export function storageReadiness({ isWritable, isShared }: StorageReadinessOptions): () => Promise<ReadinessCheck> {
  let wasWritable = false;
  return async () => {
    const isOk = await isWritable();
    wasWritable ||= isOk;
    if (isOk) return { name: 'storage', state: 'ok' };
    return { name: 'storage', state: isShared && wasWritable ? 'degraded' : 'failed' };
  };
}
