import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';

/** Where a store reports its commits and its faults. */
export interface StorageObserver {
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'storageCommitted' | 'storageFailed'>;
}

/** An observer that does nothing. */
export const unobserved: StorageObserver = {
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  metrics: { storageCommitted: () => undefined, storageFailed: () => undefined },
};
