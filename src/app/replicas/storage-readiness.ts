import type { ReadinessCheck } from '../../channels/ops/readiness.ts';
import type { StorageOfOthers } from './storage-of-others.ts';

/**
 * Milliseconds without storage before the others are asked for it. A failover of the database is over by then, and the others take a replica for dead
 * that has told the database nothing for so long.
 */
const aloneAfterMs = 15_000;

/** How the storage is asked. */
export interface StorageReadinessOptions {
  /** Whether something can be stored now. MUST NOT reject. */
  readonly isWritable: () => Promise<boolean>;
  /** The storage as other replicas see it. Left out, this server has it alone. */
  readonly others?: Pick<StorageOfOthers, 'ask' | 'forget'> | undefined;
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number;
}

/**
 * What `/readyz` says of the storage (contract/operations.md#probes). Storage of one server must take writes: without it no action that asks
 * first can run. Storage that replicas share is mostly away for all of them at once. A balancer that took all of them out would end the turns that
 * need no storage too, so a replica that has reached it once only degrades, unless another one can use the storage (contract/replicas.md#away).
 * Never are all of them out: the last one that has lost the storage hears of no other that can use it.
 */
export function storageReadiness({ isWritable, others, now }: StorageReadinessOptions): () => Promise<ReadinessCheck> {
  let wasWritable = false;
  let awaySince: number | undefined;
  return async () => {
    if (await isWritable()) {
      wasWritable = true;
      awaySince = undefined;
      others?.forget();
      return { name: 'storage', state: 'ok' };
    }
    awaySince ??= now();
    if (others === undefined || !wasWritable) return { name: 'storage', state: 'failed' };
    const isAlone = now() - awaySince >= aloneAfterMs && others.ask();
    return { name: 'storage', state: isAlone ? 'failed' : 'degraded' };
  };
}
