/** What was counted in one hour. */
export interface StoredHour {
  /** When the hour began, in epoch milliseconds. */
  readonly hour: number;
  /** The figures as text. Only the code that counts them understands the text. */
  readonly figures: string;
}

/** What one replica has counted in one hour (contract/replicas.md#left-behind). */
export interface HourPart extends StoredHour {
  /** Another replica stores this part. Left out for the part that `save` replaces. */
  readonly isOfOther?: boolean;
}

/** Where hourly figures of some callers are kept. */
export interface HourStore {
  /** Replaces what this replica has stored of the hour. Resolves once the change is durable. Rejects when the store failed. */
  save(hour: StoredHour): Promise<void>;
  /** The hours that begin at `from` or later, and before `to`, in their order. An hour has a part of each replica that has counted in it. */
  read(from: number, to: number): Promise<readonly HourPart[]>;
}

/**
 * Where the dashboard's hourly figures are kept (contract/operations.md#dashboard). The hours of this store itself count all callers
 * together.
 */
export interface MetricsStore extends HourStore {
  /** The hours of one tenant. Nobody outside this tenant is given them (contract/identity.md#tenants). */
  of(tenant: string): HourStore;
  /** Deletes the hours that began before `before`, those of tenants too. */
  forget(before: number): Promise<void>;
}
