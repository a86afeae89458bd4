import type { BudgetAccounts, BudgetHold, BudgetSpending, BudgetUse } from '../ports/budget-store.ts';
import type { Logger } from '../ports/logger.ts';
import { LedgerAccount } from './ledger-account.ts';

/** Milliseconds after which the store learns what was really spent. Until then it counts what is covered. */
const writtenAfterMs = 1_000;
/** Milliseconds after which a store that has failed is told again. */
const retriedAfterMs = 10_000;
/** The most accounts in memory, beside those that calls are under way for. Those that were used least recently go first. */
const mostAccounts = 10_000;

/** What a call holds of one account, in the window in which the hold was made. */
interface LedgerHold {
  readonly account: LedgerAccount;
  readonly amount: number;
  /** As the call asked for it. */
  readonly hold: BudgetHold;
}

/** What the ledger stands on. */
export interface LedgerServices {
  /** No other process changes this store meanwhile: the storage is locked for one process (contract/restarts.md). */
  readonly store: BudgetAccounts;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Decides on holds in memory, and covers them in the store in advance: the store always counts at least as much as was spent and is held.
 * Few calls therefore wait for the store. A crash leaves counted what was covered: the calls that were under way or had ended within the
 * last two seconds, with what was held for them, and a twentieth of what was left at most.
 */
export class BudgetLedger implements BudgetAccounts {
  readonly #services: LedgerServices;
  /** In the order of their last use, so the account that was used last stands last. */
  readonly #accounts = new Map<string, LedgerAccount>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #holds = new Map<string, readonly LedgerHold[]>();
  /** The accounts of which the store may count something else than was spent. Those of earlier windows are included. */
  readonly #unwritten = new Set<LedgerAccount>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isFailing = false;
  #isClosed = false;

  constructor(services: LedgerServices) {
    this.#services = services;
  }

  async hold(id: string, holds: readonly BudgetHold[], now: number): Promise<boolean> {
    while (!this.#knows(holds)) await this.#load(namesOf(holds), now);
    // Plain loops: this runs before every call of a model.
    const held: LedgerHold[] = [];
    for (const hold of holds) {
      const account = this.#running(hold, now);
      if (account.taken >= (hold.below ?? Infinity)) return false;
      held.push({ account, amount: hold.amount, hold });
    }
    this.#holds.set(id, held);
    let isCovered = true;
    for (const { account, amount } of held) {
      this.#add(account, amount);
      isCovered &&= account.isCovered;
    }
    if (isCovered) return true;
    try {
      await Promise.all(held.map(({ account, hold }) => account.cover(hold)));
      return true;
    } catch (error) {
      this.#giveBack(id, []);
      throw error;
    }
  }

  /** The store learns it within a second. Where the call has taken more than is covered, this resolves once that is covered too. */
  async settle(id: string, spent: readonly BudgetSpending[]): Promise<void> {
    const short = this.#giveBack(id, spent);
    if (short.length > 0) await Promise.all(short.map((account) => account.cover()));
    if (this.#isClosed) await this.#write();
  }

  uses(names: readonly string[], now: number): readonly BudgetUse[] | Promise<readonly BudgetUse[]> {
    const uses: BudgetUse[] = [];
    for (const name of names) {
      const account = this.#accounts.get(name);
      if (account === undefined) return this.#load(names, now).then(() => this.uses(names, now));
      const { spent, held, endsAt } = account;
      if (endsAt > now) uses.push({ account: name, spent, held, endsAt });
    }
    return uses;
  }

  /** Has the store count what was really spent, now and whenever a call is settled later. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#write();
  }

  #add(account: LedgerAccount, amount: number): void {
    const before = this.#accounts.get(account.name);
    if (before !== account) before?.end();
    this.#accounts.delete(account.name);
    this.#accounts.set(account.name, account);
    this.#unwritten.add(account);
    account.held += amount;
  }

  /** Returns the accounts of which more was spent than the hold has covered. */
  #giveBack(id: string, spent: readonly BudgetSpending[]): readonly LedgerAccount[] {
    const short: LedgerAccount[] = [];
    for (const { account, amount } of this.#holds.get(id) ?? []) {
      const taken = spent.find(({ account: name }) => name === account.name)?.amount ?? 0;
      account.held -= amount;
      account.spent += taken;
      this.#unwritten.add(account);
      if (taken > amount) short.push(account);
    }
    if (this.#holds.delete(id)) this.#writeLater();
    return short;
  }

  /** The account in its running window, or in a new one. */
  #running({ account: name, endsAt }: BudgetHold, now: number): LedgerAccount {
    const known = this.#accounts.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    return new LedgerAccount({ account: name, spent: 0, held: 0, endsAt }, this.#services.store);
  }

  #knows(holds: readonly BudgetHold[]): boolean {
    for (const { account } of holds) if (!this.#accounts.has(account)) return false;
    return true;
  }

  /** Reads the accounts that are not in memory. */
  async #load(names: readonly string[], now: number): Promise<void> {
    const missing = names.filter((name) => !this.#accounts.has(name));
    const unread = missing.filter((name) => !this.#loading.has(name));
    if (unread.length > 0) {
      const reading = this.#read(unread, now).finally(() => {
        for (const name of unread) this.#loading.delete(name);
      });
      for (const name of unread) this.#loading.set(name, reading);
    }
    await Promise.all(missing.flatMap((name) => this.#loading.get(name) ?? []));
  }

  async #read(names: readonly string[], now: number): Promise<void> {
    const { store } = this.#services;
    const uses = await store.uses(names, now);
    this.#makeRoom(names.length);
    for (const name of names) {
      const use = uses.find(({ account }) => account === name) ?? { account: name, spent: 0, held: 0, endsAt: 0 };
      this.#accounts.set(name, new LedgerAccount(use, store));
    }
  }

  #makeRoom(count: number): void {
    for (const [name, account] of this.#accounts) {
      if (this.#accounts.size + count <= mostAccounts) return;
      if (account.isWritten) this.#accounts.delete(name);
    }
  }

  #writeLater(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => void this.#write(), this.#isFailing ? retriedAfterMs : writtenAfterMs).unref();
  }

  /** One writing at a time, because each replaces what the one before has left in the store. */
  #write(): Promise<void> {
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      const due = [...this.#unwritten];
      const results = await Promise.allSettled(due.map((account) => account.write()));
      for (const account of due) if (account.isWritten) this.#unwritten.delete(account);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined && !this.#isFailing) {
        const message = 'what was spent of a budget could not be stored: more than that counts';
        const error: unknown = failed.reason;
        this.#services.log.error({ error }, message);
      }
      this.#isFailing = failed !== undefined;
      // Where calls have begun meanwhile, more than they need may be left covered.
      if (due.some(({ isExact }) => !isExact)) this.#writeLater();
    });
    return this.#writing;
  }
}

function namesOf(holds: readonly BudgetHold[]): readonly string[] {
  return holds.map(({ account }) => account);
}
