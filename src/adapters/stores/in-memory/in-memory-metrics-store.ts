import type { MetricsStore, StoredHour } from '../../../core/ports/metrics-store.ts';

/** The dashboard's figures for `storage.type: memory` (contract/restarts.md). They end with the process. */
export class InMemoryMetricsStore implements MetricsStore {
  readonly #hours = new Map<number, string>();

  save({ hour, figures }: StoredHour): Promise<void> {
    this.#hours.set(hour, figures);
    return Promise.resolve();
  }

  read(from: number, to: number): Promise<readonly StoredHour[]> {
    const hours = [...this.#hours].filter(([hour]) => hour >= from && hour < to);
    hours.sort(([one], [other]) => one - other);
    return Promise.resolve(hours.map(([hour, figures]) => ({ hour, figures })));
  }

  forget(before: number): Promise<void> {
    for (const hour of this.#hours.keys()) if (hour < before) this.#hours.delete(hour);
    return Promise.resolve();
  }
}
