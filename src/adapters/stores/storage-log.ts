import type { StorageObserver } from './storage-observer.ts';

/** Tells the log and the metrics when a database fails, and the log when it works again. */
export class StorageLog {
  readonly #observer: StorageObserver;
  #isFailing = false;

  constructor(observer: StorageObserver) {
    this.#observer = observer;
  }

  /** Resolves and rejects as `work` does. Work that the database refuses has not failed: it MUST resolve. */
  async told<Result>(what: 'write' | 'read' | 'probe', work: Promise<Result>): Promise<Result> {
    const { log, metrics } = this.#observer;
    try {
      const result = await work;
      if (this.#isFailing) log.info({}, 'the storage works again');
      this.#isFailing = false;
      return result;
    } catch (error) {
      metrics.storageFailed(what);
      // While the database fails, every request fails. Only the first failure is logged.
      if (!this.#isFailing) log.error({ error }, 'the storage failed');
      this.#isFailing = true;
      throw error;
    }
  }
}
