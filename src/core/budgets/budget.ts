import { matchesGlob } from '../base/glob.ts';
import type { RemainingBudget } from '../events/turn-event.ts';
import type { Spender } from '../ports/spender.ts';

/** Who spends a budget together. */
export type BudgetScope = 'user' | 'role' | 'conversation' | 'day';

/** What a budget counts. */
export type BudgetUnit = RemainingBudget['unit'];

/** One entry of `budgets` (contract/limits.md#budgets). */
export interface Budget {
  readonly per: BudgetScope;
  /** Only users with this role spend it; undefined, everybody does. */
  readonly role: string | undefined;
  readonly unit: BudgetUnit;
  /** A whole number: tokens, or parts of the currency. */
  readonly limit: number;
  readonly windowMs: number;
  /** Globs; empty, users of all tenants and of none. */
  readonly tenants: readonly string[];
  readonly then: 'refuse' | 'downgrade';
}

/** The parts of the currency that costs are counted in: whole numbers are added up without a rest. */
export const partsOfCurrency = 1_000_000_000;

const dayMs = 86_400_000;

/** What somebody spends, and up to where: budgets that count the same thing are one account. */
export interface Account {
  readonly account: string;
  readonly per: BudgetScope;
  readonly unit: BudgetUnit;
  /** When a window ends that begins now (epoch milliseconds). */
  readonly endsAt: number;
  /** The least limit of those that refuse; undefined without one. */
  readonly refuseAt: number | undefined;
  /** The least limit of those that downgrade; undefined without one. */
  readonly downgradeAt: number | undefined;
}

/**
 * The accounts that a call of somebody is counted in. `mark` stands for a user and a conversation in what is stored. Without a
 * conversation, those of conversations are left out.
 */
export function accountsOf(
  budgets: readonly Budget[],
  spender: Omit<Spender, 'conversationId'> & { readonly conversationId: string | undefined },
  { now, mark }: { readonly now: number; readonly mark: (text: string) => string },
): readonly Account[] {
  const accounts = new Map<string, Account>();
  for (const budget of budgets) {
    if (!isSpentBy(budget, spender)) continue;
    const { per, unit, role = '', windowMs, limit, then } = budget;
    const { tenant = '', userKey, conversationId } = spender;
    if (per === 'conversation' && conversationId === undefined) continue;
    const who =
      per === 'user' ? mark(userKey) : per === 'conversation' ? mark(`conversation:${conversationId ?? ''}`) : '';
    const account = JSON.stringify([per, role, unit, windowMs, tenant, who]);
    const endsAt = per === 'day' ? (Math.floor(now / dayMs) + 1) * dayMs : now + windowMs;
    const known = accounts.get(account) ?? { account, per, unit, endsAt, refuseAt: undefined, downgradeAt: undefined };
    const at = then === 'refuse' ? 'refuseAt' : 'downgradeAt';
    accounts.set(account, { ...known, [at]: Math.min(known[at] ?? Infinity, limit) });
  }
  return [...accounts.values()];
}

/** Whoever is of no tenant spends none of a budget that names tenants. */
function isSpentBy({ role, tenants }: Budget, spender: Pick<Spender, 'roles' | 'tenant'>): boolean {
  if (role !== undefined && !spender.roles.has(role)) return false;
  const { tenant } = spender;
  return tenants.length === 0 || (tenant !== undefined && tenants.some((glob) => matchesGlob(glob, tenant)));
}
