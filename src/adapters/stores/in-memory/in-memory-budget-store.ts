import type { BudgetHold, BudgetSpending, BudgetStore, BudgetUse } from '../../../core/ports/budget-store.ts';

/** What was spent of budgets, for `storage.type: memory`. It ends with the process. */
export class InMemoryBudgetStore implements BudgetStore {
  readonly isShared = false;
  readonly #uses = new Map<string, BudgetUse>();
  /** What each hold takes of each account, and in which window, by the id of the hold. */
  readonly #holds = new Map<string, readonly BudgetHold[]>();

  hold(id: string, holds: readonly BudgetHold[], now: number): Promise<boolean> {
    const isRefused = holds.some(({ account, below = Infinity }) => {
      const use = this.#running(account, now);
      return use !== undefined && use.spent + use.held >= below;
    });
    if (isRefused) return Promise.resolve(false);
    const made = holds.map((hold) => {
      const { account, amount } = hold;
      const use = this.#running(account, now) ?? { account, spent: 0, held: 0, endsAt: hold.endsAt };
      this.#uses.set(account, { ...use, held: use.held + amount });
      return { ...hold, endsAt: use.endsAt };
    });
    this.#holds.set(id, made);
    return Promise.resolve(true);
  }

  settle(id: string, spent: readonly BudgetSpending[]): Promise<void> {
    const holds = this.#holds.get(id) ?? [];
    this.#holds.delete(id);
    for (const { account, amount: held, endsAt } of holds) {
      const use = this.#uses.get(account);
      const { amount = 0 } = spent.find((each) => each.account === account) ?? {};
      if (use?.endsAt === endsAt) this.#uses.set(account, { ...use, spent: use.spent + amount, held: use.held - held });
    }
    return Promise.resolve();
  }

  uses(accounts: readonly string[], now: number): Promise<readonly BudgetUse[]> {
    return Promise.resolve(accounts.flatMap((account) => this.#running(account, now) ?? []));
  }

  /** No earlier process has left anything. */
  countLeftBehind(): Promise<number> {
    return Promise.resolve(0);
  }

  purge(before: number): Promise<number> {
    const over = [...this.#uses.values()].filter(({ endsAt }) => endsAt < before);
    for (const { account } of over) this.#uses.delete(account);
    return Promise.resolve(over.length);
  }

  #running(account: string, now: number): BudgetUse | undefined {
    const use = this.#uses.get(account);
    return use !== undefined && use.endsAt > now ? use : undefined;
  }
}
