/** What was counted in one hour. */
export interface StoredHour {
  /** When the hour began, in epoch milliseconds. */
  readonly hour: number;
  /** The figures, as text that only whoever counts understands. */
  readonly figures: string;
}

/** Where the dashboard's hourly figures are kept (contract/operations.md#dashboard). */
export interface MetricsStore {
  /** Puts the hour in the place of what was stored of it. Resolves once that is durable; rejects when the store failed. */
  save(hour: StoredHour): Promise<void>;
  /** The hours that begin at `from` or later, and before `to`, in their order. */
  read(from: number, to: number): Promise<readonly StoredHour[]>;
  /** Deletes the hours that began before `before`. */
  forget(before: number): Promise<void>;
}
