import type { BudgetAccounts, BudgetHold, BudgetSpending, BudgetStore, BudgetUse } from '../ports/budget-store.ts';
import type { Logger } from '../ports/logger.ts';

/** Milliseconds after which a store that has failed is told again. */
const retriedAfterMs = 2_000;

/** What shared accounts stand on. */
export interface SharedAccountsServices {
  readonly store: BudgetStore;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Accounts of budgets that several replicas spend (contract/replicas.md#left-behind). Nothing is decided in memory: the store decides on each
 * hold. So all replicas together spend what one server would spend.
 */
export class SharedAccounts implements BudgetAccounts {
  readonly #services: SharedAccountsServices;
  /** What the store has not taken yet, by the id of the hold. A failed hold is in here with nothing spent. */
  readonly #unsettled = new Map<string, readonly BudgetSpending[]>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(services: SharedAccountsServices) {
    this.#services = services;
  }

  async hold(id: string, holds: readonly BudgetHold[], now: number): Promise<boolean> {
    try {
      return await this.#services.store.hold(id, holds, now);
    } catch (error) {
      // The store may have held the amounts all the same, and no call will be made that settles them.
      const nothing = holds.map(({ account }) => ({ account, amount: 0 }));
      this.#settleLater(id, nothing);
      throw error;
    }
  }

  /** Never rejects. Until the store has taken it, all that was held counts. */
  async settle(id: string, spent: readonly BudgetSpending[]): Promise<void> {
    try {
      await this.#services.store.settle(id, spent);
    } catch (error) {
      if (this.#unsettled.size === 0) {
        this.#services.log.error({ error }, 'what was spent of a budget could not be stored: more than that counts');
      }
      this.#settleLater(id, spent);
    }
  }

  uses(accounts: readonly string[], now: number): Promise<readonly BudgetUse[]> {
    return this.#services.store.uses(accounts, now);
  }

  /** Makes a last attempt at what the store has not taken. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#settleRest();
  }

  #settleLater(id: string, spent: readonly BudgetSpending[]): void {
    this.#unsettled.set(id, spent);
    this.#tryLater();
  }

  #tryLater(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#settleRest();
    }, retriedAfterMs).unref();
  }

  /** A hold that is settled already does not change, so an attempt may follow one that the store has made without saying so. */
  async #settleRest(): Promise<void> {
    for (const [id, spent] of this.#unsettled) {
      try {
        await this.#services.store.settle(id, spent);
        this.#unsettled.delete(id);
      } catch {
        this.#tryLater();
        return;
      }
    }
  }
}
