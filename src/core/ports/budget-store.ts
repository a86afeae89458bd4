/** The most that a call may take from one account. `account` is a text that says who spends together and what is counted. */
export interface BudgetHold {
  readonly account: string;
  readonly amount: number;
  /** The hold is refused when the amounts that are spent and held already reach this value. Undefined: the hold is never refused. */
  readonly below: number | undefined;
  /** The end of the window that this hold begins if the account has no running window (epoch milliseconds). */
  readonly endsAt: number;
}

/** What a call has taken of one account. */
export interface BudgetSpending {
  readonly account: string;
  readonly amount: number;
}

/** The amounts of an account in its running window. */
export interface BudgetUse {
  readonly account: string;
  readonly spent: number;
  /** The amount that is held for calls that are under way. */
  readonly held: number;
  /** Epoch milliseconds. */
  readonly endsAt: number;
}

/** Accounts of budgets that calls are held and counted in. Amounts are whole numbers. The caller knows their unit. */
export interface BudgetAccounts {
  /**
   * Holds all amounts under one id, or none of them. Resolves with false when one amount is refused. Calls at the same time MUST have the
   * same result as calls one after the other.
   */
  hold(id: string, holds: readonly BudgetHold[], now: number): Promise<boolean>;
  /**
   * Replaces the held amounts of an id with the spent amounts, in the window of the hold. When that window is over, nothing is counted.
   * `spent` names the accounts of the hold. A hold that is settled already does not change.
   */
  settle(id: string, spent: readonly BudgetSpending[]): Promise<void>;
  /** The amounts of the given accounts, at once where they are known. An account without a running window is left out. */
  uses(accounts: readonly string[], now: number): readonly BudgetUse[] | Promise<readonly BudgetUse[]>;
}

/**
 * Stores what was spent of budgets, also over restarts (contract/limits.md#budgets). A change MUST be durable once its method resolves.
 * Changes of one id MUST be made in the order of their calls.
 */
export interface BudgetStore extends BudgetAccounts {
  /** Whether other processes change this store at the same time, so that nothing that was read of it stays true. */
  readonly isShared: boolean;
  uses(accounts: readonly string[], now: number): Promise<readonly BudgetUse[]>;
  /**
   * Counts as spent all amounts that earlier processes left held. In a shared store these are the amounts that no living replica holds, and each
   * is counted once, however many replicas count at the same time. Resolves with the number of holds that this call has counted.
   */
  countLeftBehind(): Promise<number>;
  /** Deletes accounts whose window ended before this time (epoch milliseconds). Resolves with how many that were. */
  purge(before: number): Promise<number>;
}
