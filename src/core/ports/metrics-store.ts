/** What was counted in one hour. */
export interface StoredHour {
  /** When the hour began, in epoch milliseconds. */
  readonly hour: number;
  /** The figures, as text that only whoever counts understands. */
  readonly figures: string;
}

/** Where hourly figures of some callers are kept. */
export interface HourStore {
  /** Puts the hour in the place of what was stored of it. Resolves once that is durable; rejects when the store failed. */
  save(hour: StoredHour): Promise<void>;
  /** The hours that begin at `from` or later, and before `to`, in their order. */
  read(from: number, to: number): Promise<readonly StoredHour[]>;
}

/** Where the dashboard's hourly figures are kept (contract/operations.md#dashboard). Its own hours are those of all callers together. */
export interface MetricsStore extends HourStore {
  /** The hours of one tenant, which no other tenant and nobody else is given (contract/identity.md#tenants). */
  of(tenant: string): HourStore;
  /** Deletes the hours that began before `before`, those of tenants too. */
  forget(before: number): Promise<void>;
}
