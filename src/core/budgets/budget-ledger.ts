import type { BudgetHold, BudgetSpending, BudgetStore, BudgetUse } from '../ports/budget-store.ts';
import type { Logger } from '../ports/logger.ts';
import { LedgerAccount } from './ledger-account.ts';

/** Milliseconds after which the store learns what was really spent. Until then it counts what is covered. */
const writtenAfterMs = 1_000;
/** The most accounts in memory. Those that were used least recently go first. */
const mostAccounts = 10_000;

/** What a call holds of one account, in the window in which the hold was made. */
interface LedgerHold {
  readonly account: LedgerAccount;
  readonly amount: number;
}

/** What the ledger stands on. */
export interface LedgerServices {
  /** No other process changes this store meanwhile. */
  readonly store: BudgetStore;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Decides on holds in memory, and covers them in the store in advance: the store always counts at least as much as was spent and is held.
 * Few calls therefore wait for the store. A crash leaves what was covered counted, which is a twentieth of what was left at most, or the
 * amount of the calls that were under way.
 */
export class BudgetLedger implements BudgetStore {
  readonly #services: LedgerServices;
  /** In the order of their last use, so the account that was used last stands last. */
  readonly #accounts = new Map<string, LedgerAccount>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #holds = new Map<string, readonly LedgerHold[]>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(services: LedgerServices) {
    this.#services = services;
  }

  async hold(id: string, holds: readonly BudgetHold[], now: number): Promise<boolean> {
    await this.#load(
      holds.map(({ account }) => account),
      now,
    );
    const accounts = holds.map((hold) => ({ hold, account: this.#running(hold, now) }));
    if (accounts.some(({ hold: { below = Infinity }, account }) => account.taken >= below)) return false;
    for (const { hold, account } of accounts) {
      account.held += hold.amount;
      this.#accounts.delete(account.name);
      this.#accounts.set(account.name, account);
    }
    this.#holds.set(
      id,
      accounts.map(({ hold: { amount }, account }) => ({ account, amount })),
    );
    try {
      await Promise.all(accounts.map(({ hold, account }) => account.cover(hold, now)));
      return true;
    } catch (error) {
      this.#giveBack(id, []);
      throw error;
    }
  }

  /** The store learns it within a second. A call that has taken more than the store covers is written before this resolves. */
  async settle(id: string, spent: readonly BudgetSpending[]): Promise<void> {
    const short = this.#giveBack(id, spent).filter(({ isCovered }) => !isCovered);
    await Promise.all(short.map((account) => account.write()));
  }

  async uses(accounts: readonly string[], now: number): Promise<readonly BudgetUse[]> {
    await this.#load(accounts, now);
    return accounts.flatMap((name): BudgetUse[] => {
      const account = this.#accounts.get(name);
      if (account === undefined || account.endsAt <= now) return [];
      return [{ account: name, spent: account.spent, held: account.held, endsAt: account.endsAt }];
    });
  }

  countLeftBehind(): Promise<number> {
    return this.#services.store.countLeftBehind();
  }

  async purge(before: number): Promise<number> {
    for (const [name, { endsAt }] of this.#accounts) if (endsAt < before) this.#accounts.delete(name);
    return this.#services.store.purge(before);
  }

  /** Writes what was really spent. Never rejects. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#write();
  }

  /** The accounts of the hold. */
  #giveBack(id: string, spent: readonly BudgetSpending[]): readonly LedgerAccount[] {
    const holds = this.#holds.get(id) ?? [];
    for (const { account, amount } of holds) {
      account.held -= amount;
      account.spent += spent.find(({ account: name }) => name === account.name)?.amount ?? 0;
    }
    if (this.#holds.delete(id)) this.#timer ??= setTimeout(() => void this.#write(), writtenAfterMs).unref();
    return holds.map(({ account }) => account);
  }

  /** The account in its running window, or in a new one. */
  #running({ account: name, endsAt }: BudgetHold, now: number): LedgerAccount {
    const known = this.#accounts.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    return new LedgerAccount({ account: name, spent: 0, held: 0, endsAt }, this.#services.store);
  }

  /** Reads the accounts that are not in memory. All of them are there when this resolves. */
  async #load(names: readonly string[], now: number): Promise<void> {
    const missing = names.filter((name) => !this.#accounts.has(name));
    if (missing.length === 0) return;
    const unread = missing.filter((name) => !this.#loading.has(name));
    if (unread.length > 0) {
      const reading = this.#read(unread, now).finally(() => {
        for (const name of unread) this.#loading.delete(name);
      });
      for (const name of unread) this.#loading.set(name, reading);
    }
    await Promise.all(missing.flatMap((name) => this.#loading.get(name) ?? []));
    // One of them may have made room for others meanwhile.
    await this.#load(names, now);
  }

  async #read(names: readonly string[], now: number): Promise<void> {
    const { store } = this.#services;
    const uses = await store.uses(names, now);
    for (const name of names) {
      if (this.#accounts.has(name)) continue;
      const use = uses.find(({ account }) => account === name) ?? { account: name, spent: 0, held: 0, endsAt: now };
      this.#accounts.set(name, new LedgerAccount(use, store));
    }
    for (const [name, account] of this.#accounts) {
      if (this.#accounts.size <= mostAccounts) break;
      if (account.isWritten) this.#accounts.delete(name);
    }
  }

  /** One writing at a time, because each settles what the one before has covered. */
  #write(): Promise<void> {
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      const due = [...this.#accounts.values()].filter(({ isWritten }) => !isWritten);
      await Promise.all(
        due.map((account) =>
          account.write().catch((error: unknown) => {
            this.#services.log.error(
              { error },
              'what was spent of a budget could not be stored: more than that counts',
            );
          }),
        ),
      );
    });
    return this.#writing;
  }
}
