import type { HourStore, MetricsStore, StoredHour } from '../../../core/ports/metrics-store.ts';

/** The hours of some callers, for `storage.type: memory`. */
class InMemoryHours implements HourStore {
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

  /** Returns whether nothing is left. */
  forget(before: number): boolean {
    for (const hour of this.#hours.keys()) if (hour < before) this.#hours.delete(hour);
    return this.#hours.size === 0;
  }
}

/** The dashboard's figures for `storage.type: memory` (contract/restarts.md). They end with the process. */
export class InMemoryMetricsStore implements MetricsStore {
  readonly #all = new InMemoryHours();
  readonly #tenants = new Map<string, InMemoryHours>();

  save(hour: StoredHour): Promise<void> {
    return this.#all.save(hour);
  }

  read(from: number, to: number): Promise<readonly StoredHour[]> {
    return this.#all.read(from, to);
  }

  of(tenant: string): HourStore {
    const ofTenant = (): InMemoryHours | undefined => this.#tenants.get(tenant);
    return {
      save: (hour) => {
        const hours = ofTenant() ?? new InMemoryHours();
        this.#tenants.set(tenant, hours);
        return hours.save(hour);
      },
      read: (from, to) => ofTenant()?.read(from, to) ?? Promise.resolve([]),
    };
  }

  forget(before: number): Promise<void> {
    this.#all.forget(before);
    for (const [tenant, hours] of this.#tenants) if (hours.forget(before)) this.#tenants.delete(tenant);
    return Promise.resolve();
  }
}
