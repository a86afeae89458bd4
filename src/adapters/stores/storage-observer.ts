import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';

/** Whom a store tells how it does. */
export interface StorageObserver {
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'storageCommitted' | 'storageFailed'>;
}

/** For stores that nobody watches. */
export const unobserved: StorageObserver = {
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  metrics: { storageCommitted: () => undefined, storageFailed: () => undefined },
};
