import { randomId } from '../base/random-id.ts';
import type { RemainingBudget } from '../events/turn-event.ts';
import type { Principal } from '../identity/principal.ts';
import type { BudgetAccounts, BudgetHold, BudgetUse } from '../ports/budget-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Spender } from '../ports/spender.ts';
import { type Account, accountsOf, type Budget, type BudgetScope, isOfTenant, partsOfCurrency } from './budget.ts';
import type { Amounts } from './call-amounts.ts';
import { HeldQueue } from './held-queue.ts';
import { spenderOf } from './spender-of.ts';

/** A budget that is used up. JSON, for the record. */
export interface UsedUp {
  readonly per: BudgetScope;
  readonly budget: RemainingBudget;
  /** True: the budget has something left, but calls that are under way hold it. */
  readonly isHeld: boolean;
}

/** The amount that a call may take. The amount is held until the call is settled. JSON, for the record. */
export interface Held {
  readonly id: string;
  /** `cheapest`: the cheapest model answers, because a budget that downgrades is used up. */
  readonly by: 'asked' | 'cheapest';
  readonly accounts: readonly Pick<Account, 'account' | 'unit'>[];
}

/** Whether a call may be made. `isFree`: no budget applies to the call. */
export type Admission = { readonly isFree: true } | { readonly held: Held } | { readonly usedUp: UsedUp };

/** A budget, and what is taken of it in the running window, in its unit. */
export interface BudgetOverview {
  readonly budget: Budget;
  /** `endsAt`: epoch milliseconds. */
  readonly use?: { readonly spent: number; readonly held: number; readonly endsAt: number };
}

/**
 * The most that a call may take: with the models that were asked for, and with the cheapest model. Without `cheapest`, the call cannot be
 * downgraded.
 */
export interface MostOfCall {
  readonly asked: Amounts;
  readonly cheapest?: Amounts | undefined;
}

/** What budgets are kept with. */
export interface BudgetsOptions {
  readonly store: BudgetAccounts;
  /** Gives the text that stands for a user or a conversation in the store. Nobody can tell from the text who the user is. */
  readonly mark: (text: string) => string;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'of'>;
  /**
   * Milliseconds after which a call that waits for amounts of other calls looks again. Other replicas do not tell this one when their calls are
   * settled. Left out: the calls of this process are the only ones.
   */
  readonly lookAgainMs?: number | undefined;
}

interface KnownAccounts {
  readonly accounts: readonly Account[];
  /** Epoch milliseconds. A window that begins with one of the accounts ends at most `knownMs` too early. */
  readonly at: number;
  readonly until: number;
}

/** Milliseconds for which the accounts of a spender stay as they are. */
const knownMs = 1_000;
/** The most spenders whose accounts are known at a time. */
const mostKnown = 256;

const noAccounts: readonly Account[] = [];

/** Milliseconds that a call waits for amounts that other calls hold. */
const longestWaitMs = 10_000;

/**
 * Counts what is spent on models, and refuses calls over a budget (contract/limits.md#budgets). The most that a call may take is held
 * before the call. Calls side by side therefore overspend by one call at most.
 */
export class Budgets {
  readonly #options: BudgetsOptions;
  readonly #queue = new HeldQueue();
  #budgets: readonly Budget[] = [];
  /**
   * The accounts of the spenders that were looked at last, because a turn looks at its budgets and holds them a moment later. A weak map
   * would cost a turn more than all the rest of its budgets: the garbage collector looks through such a map each time.
   */
  readonly #known = new Map<object, KnownAccounts>();

  constructor(options: BudgetsOptions) {
    this.#options = options;
  }

  /**
   * Uses these budgets from now on, also in turns that run. Amounts that were spent still count in every new budget that counts the same
   * thing.
   */
  take(budgets: readonly Budget[]): void {
    this.#budgets = budgets;
    this.#known.clear();
  }

  /** Whether any budget has the cheapest model answer once it is used up. */
  get mayDowngrade(): boolean {
    return this.#budgets.some(({ then }) => then === 'downgrade');
  }

  /**
   * A budget of which this spender has nothing left, at once where that is known. Undefined when there is no such budget. Rejects when the
   * store cannot be read.
   */
  usedUpBy(spender: Spender): UsedUp | undefined | Promise<UsedUp | undefined> {
    const accounts = this.#accountsOf(spender);
    if (accounts.length === 0) return undefined;
    const decided = (known: readonly BudgetUse[]): UsedUp | undefined => {
      const usedUp = refusingOf(accounts, known);
      if (usedUp !== undefined) this.#count(spender, usedUp.per, 'refused');
      return usedUp;
    };
    const uses = this.#usesOf(accounts);
    return uses instanceof Promise ? uses.then(decided) : decided(uses);
  }

  /**
   * Holds what a call may take. Where a budget has something left, but other calls hold it, this method waits for those calls for at most
   * 10 s. Rejects when the store cannot hold the amount, and with the reason of the signal once that aborts.
   */
  async hold(spender: Spender, most: MostOfCall, signal: AbortSignal): Promise<Admission> {
    const { clock, lookAgainMs = Infinity } = this.#options;
    const endsAt = clock.elapsed() + longestWaitMs;
    let waitedFor: string | undefined;
    try {
      for (;;) {
        const { settled } = this.#queue;
        const { admission, heldBack } = await this.#tried(spender, most);
        const leftMs = endsAt - clock.elapsed();
        if (heldBack === undefined || leftMs <= 0) return this.#counted(spender, admission);
        if (waitedFor !== undefined && waitedFor !== heldBack) this.#queue.wake(waitedFor);
        waitedFor = heldBack;
        signal.throwIfAborted();
        if (settled === this.#queue.settled) await this.#queue.wait(heldBack, Math.min(leftMs, lookAgainMs), signal);
      }
    } finally {
      if (waitedFor !== undefined) this.#queue.wake(waitedFor);
    }
  }

  /** Counts what a call has taken, in place of the amount that was held for the call. Rejects when the store cannot count it. */
  async settle({ id, accounts }: Held, taken: Amounts): Promise<void> {
    const spent = accounts.map(({ account, unit }) => ({ account, amount: taken[unit] }));
    try {
      await this.#options.store.settle(id, spent);
    } finally {
      this.#queue.settle(accounts.map(({ account }) => account));
    }
  }

  /**
   * What a user has left of the budget with the smallest share left. Only budgets that refuse are looked at, and no budget per
   * conversation, because each conversation begins such a budget anew. Undefined without such a budget. Rejects when the store cannot be
   * read.
   */
  async remaining(principal: Principal): Promise<RemainingBudget | undefined> {
    const accounts = this.#accountsOf(spenderOf(principal, undefined)).filter(({ refuseAt }) => refuseAt !== undefined);
    if (accounts.length === 0) return undefined;
    const uses = await this.#usesOf(accounts);
    const share = (account: Account): number => leftOf(account, uses) / (account.refuseAt ?? 1);
    const tightest = accounts.reduce((least, account) => (share(account) < share(least) ? account : least));
    return remainingOf(tightest, uses);
  }

  /**
   * The budgets that apply to a tenant, in the order of the configuration, and what is taken of those that all spend together. Left out as
   * `use`: each user or each conversation spends by itself. With `isOfMany` it is left out of all, and those of all tenants are given.
   * Rejects when the store cannot be read.
   */
  async overview(
    tenant: string | undefined,
    { isOfMany }: { readonly isOfMany: boolean },
  ): Promise<readonly BudgetOverview[]> {
    if (isOfMany) return this.#budgets.map((budget) => ({ budget }));
    const { mark, clock } = this.#options;
    const applying = this.#budgets.filter(({ tenants }) => isOfTenant(tenants, tenant));
    const now = clock.now();
    const accounts = applying.map((budget) => {
      if (budget.per === 'user' || budget.per === 'conversation') return undefined;
      const roles = new Set(budget.role === undefined ? [] : [budget.role]);
      const together = { userKey: '', tenant, roles, conversationId: undefined };
      return accountsOf([budget], together, { now, mark })[0];
    });
    const uses = await this.#usesOf(accounts.filter((account) => account !== undefined));
    return applying.map((budget, index) => {
      const account = accounts[index];
      if (account === undefined) return { budget };
      const [spent, held] = (['spent', 'held'] as const).map((part) => takenOf(account, uses, (use) => use[part]));
      return { budget, use: { spent: spent ?? 0, held: held ?? 0, endsAt: endOf(account, uses) } };
    });
  }

  #accountsOf(spender: Parameters<typeof accountsOf>[1]): readonly Account[] {
    if (this.#budgets.length === 0) return noAccounts;
    const { clock, mark } = this.#options;
    const now = clock.now();
    const known = this.#known.get(spender);
    if (known !== undefined && now >= known.at && now < known.until) return known.accounts;
    const accounts = accountsOf(this.#budgets, spender, { now, mark });
    const until = accounts.reduce((least, { endsAt }) => Math.min(least, endsAt), now + knownMs);
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(spender, { accounts, at: now, until });
    return accounts;
  }

  #usesOf(accounts: readonly Account[]): ReturnType<BudgetAccounts['uses']> {
    const { store, clock } = this.#options;
    return store.uses(
      accounts.map(({ account }) => account),
      clock.now(),
    );
  }

  async #held(
    accounts: readonly Account[],
    { by, amounts, mayDowngrade }: { readonly amounts: Amounts; readonly mayDowngrade: boolean } & Pick<Held, 'by'>,
  ): Promise<Held | undefined> {
    const { store, clock } = this.#options;
    const id = randomId();
    const holds: BudgetHold[] = [];
    const counted: Pick<Account, 'account' | 'unit'>[] = [];
    for (const { account, unit, endsAt, refuseAt, downgradeAt } of accounts) {
      const below = mayDowngrade ? leastOf(refuseAt, downgradeAt) : refuseAt;
      holds.push({ account, amount: amounts[unit], below, endsAt });
      counted.push({ account, unit });
    }
    const isHeld = await store.hold(id, holds, clock.now());
    return isHeld ? { id, by, accounts: counted } : undefined;
  }

  /** Makes one attempt to hold the amount. `heldBack` is the account that has something left, which other calls hold. */
  async #tried(
    spender: Spender,
    { asked, cheapest }: MostOfCall,
  ): Promise<{ readonly admission: Admission; readonly heldBack?: string | undefined }> {
    const accounts = this.#accountsOf(spender);
    if (accounts.length === 0) return { admission: { isFree: true } };
    const first = await this.#held(accounts, { by: 'asked', amounts: asked, mayDowngrade: cheapest !== undefined });
    if (first !== undefined) return { admission: { held: first } };
    const uses = await this.#usesOf(accounts);
    const downgrading = cheapest === undefined ? [] : downgradingOf(accounts, uses);
    if (cheapest !== undefined && downgrading.length > 0) {
      const second = await this.#held(accounts, { by: 'cheapest', amounts: cheapest, mayDowngrade: false });
      if (second !== undefined) {
        for (const { per } of downgrading) this.#count(spender, per, 'downgraded');
        return { admission: { held: second } };
      }
    }
    return refusedBy(accounts, uses);
  }

  #counted(spender: Spender, admission: Admission): Admission {
    if ('usedUp' in admission) this.#count(spender, admission.usedUp.per, 'refused');
    return admission;
  }

  #count({ tenant }: Spender, per: BudgetScope, outcome: 'refused' | 'downgraded'): void {
    this.#options.metrics.of(tenant).budgetUsedUp({ per, outcome });
  }
}

function leastOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** The used-up budget that stays used up for longest, of the budgets that refuse. */
function refusingOf(accounts: readonly Account[], uses: readonly BudgetUse[]): UsedUp | undefined {
  const over = accounts.filter((account) => leftOf(account, uses) <= 0);
  if (over.length === 0) return undefined;
  const [longest] = over.toSorted((one, other) => endOf(other, uses) - endOf(one, uses));
  if (longest === undefined) return undefined;
  return { per: longest.per, budget: remainingOf(longest, uses), isHeld: false };
}

/**
 * Why the amount of a call is not held. `uses` is read after the attempt: other calls may have given back meanwhile what they held. Then no
 * budget is used up.
 */
function refusedBy(
  accounts: readonly Account[],
  uses: readonly BudgetUse[],
): { readonly admission: Admission; readonly heldBack?: string | undefined } {
  const usedUp = refusingOf(accounts, uses);
  if (usedUp !== undefined) return { admission: { usedUp } };
  const full = accounts.filter(({ refuseAt }) => refuseAt !== undefined);
  const [tightest] = full.toSorted((one, other) => roomOf(one, uses) - roomOf(other, uses));
  if (tightest === undefined) throw new Error('budgets that refuse nothing have refused a call');
  const { account, per } = tightest;
  return { admission: { usedUp: { per, budget: remainingOf(tightest, uses), isHeld: true } }, heldBack: account };
}

/** The part of the limit that is neither spent nor held. */
function roomOf(account: Account, uses: readonly BudgetUse[]): number {
  return (account.refuseAt ?? Infinity) - takenOf(account, uses, ({ spent, held }) => spent + held);
}

function downgradingOf(accounts: readonly Account[], uses: readonly BudgetUse[]): readonly Account[] {
  return accounts.filter(
    (account) => takenOf(account, uses, ({ spent, held }) => spent + held) >= (account.downgradeAt ?? Infinity),
  );
}

function remainingOf(account: Account, uses: readonly BudgetUse[]): RemainingBudget {
  const left = leftOf(account, uses);
  const { unit } = account;
  const remaining = unit === 'cost' ? left / partsOfCurrency : left;
  return { remaining, unit, resetsAt: new Date(endOf(account, uses)).toISOString() };
}

/** The amount that is left before the budget refuses. Held amounts count as left. */
function leftOf(account: Account, uses: readonly BudgetUse[]): number {
  return Math.max(0, (account.refuseAt ?? Infinity) - takenOf(account, uses, ({ spent }) => spent));
}

function takenOf({ account }: Account, uses: readonly BudgetUse[], taken: (use: BudgetUse) => number): number {
  const use = uses.find((each) => each.account === account);
  return use === undefined ? 0 : taken(use);
}

function endOf({ account, endsAt }: Account, uses: readonly BudgetUse[]): number {
  return uses.find((each) => each.account === account)?.endsAt ?? endsAt;
}
