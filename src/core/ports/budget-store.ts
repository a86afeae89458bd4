/** What a call may take at most of one account. An account is a text: who spends together, and what is counted. */
export interface BudgetHold {
  readonly account: string;
  readonly amount: number;
  /** Refused where this much is spent and held already. Undefined: never refused. */
  readonly below: number | undefined;
  /** When the window ends that begins with this hold, where none runs (epoch milliseconds). */
  readonly endsAt: number;
}

/** What a call has taken of one account. */
export interface BudgetSpending {
  readonly account: string;
  readonly amount: number;
}

/** What has become of an account in the window that runs. */
export interface BudgetUse {
  readonly account: string;
  readonly spent: number;
  /** For calls that are under way. */
  readonly held: number;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/**
 * What was spent of budgets, over restarts (contract/limits.md#budgets). Amounts are whole numbers; the caller knows what they count. A change
 * MUST be durable once its method resolves.
 */
export interface BudgetStore {
  /**
   * Holds all amounts under one id, or none of them: false where one is refused. Holds at the same time MUST come to the same as one after
   * the other.
   */
  hold(id: string, holds: readonly BudgetHold[], now: number): Promise<boolean>;
  /**
   * Replaces what was held under an id with what was spent, in the window of the hold: where that is over, nothing is counted. `spent` names
   * the accounts of the hold. A hold that is settled already stays as it is.
   */
  settle(id: string, spent: readonly BudgetSpending[]): Promise<void>;
  /** The accounts of these whose window runs. */
  uses(accounts: readonly string[], now: number): Promise<readonly BudgetUse[]>;
  /** Counts as spent whatever earlier processes have left held. Resolves with how many holds that were. */
  countLeftBehind(): Promise<number>;
  /** Deletes accounts whose window ended before this time (epoch milliseconds). Resolves with how many that were. */
  purge(before: number): Promise<number>;
}
