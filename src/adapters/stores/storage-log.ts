import type { StorageObserver } from './storage-observer.ts';

/** Tells the log and the metrics when a database fails, and the log when it works again. */
export class StorageLog {
  readonly #observer: StorageObserver;
  /** What fails at present. A database that takes no changes may answer queries all the same. */
  readonly #failing = new Set<'write' | 'read'>();

  constructor(observer: StorageObserver) {
    this.#observer = observer;
  }

  /** Resolves and rejects as `work` does. Work that the database refuses has not failed: it MUST resolve. */
  async told<Result>(what: 'write' | 'read' | 'probe', work: Promise<Result>): Promise<Result> {
    const { log, metrics } = this.#observer;
    const kind = what === 'read' ? 'read' : 'write';
    try {
      const result = await work;
      if (this.#failing.delete(kind) && this.#failing.size === 0) log.info({}, 'the storage works again');
      return result;
    } catch (error) {
      metrics.storageFailed(what);
      // While the database fails, every request fails. Only the first failure is logged.
      if (this.#failing.size === 0) log.error({ error }, 'the storage failed');
      this.#failing.add(kind);
      throw error;
    }
  }
}
