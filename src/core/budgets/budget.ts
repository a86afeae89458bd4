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
  /** Only users with this role spend the budget. Undefined: all users spend it. */
  readonly role: string | undefined;
  readonly unit: BudgetUnit;
  /** A whole number of tokens, or of parts of the currency (`partsOfCurrency`). */
  readonly limit: number;
  readonly windowMs: number;
  /** Globs of tenants. An empty list is for all users, also for users without a tenant. */
  readonly tenants: readonly string[];
  readonly then: 'refuse' | 'downgrade';
}

/** One unit of the currency has this many parts. Costs are counted in whole parts, because sums of whole numbers have no rounding error. */
export const partsOfCurrency = 1_000_000_000;

const dayMs = 86_400_000;

/** What somebody spends, with the limits. Budgets that count the same thing share one account. */
export interface Account {
  readonly account: string;
  readonly per: BudgetScope;
  readonly unit: BudgetUnit;
  /** When the window ends if it begins now (epoch milliseconds). */
  readonly endsAt: number;
  /** The lowest limit of the budgets that refuse. Undefined: no budget of the account refuses. */
  readonly refuseAt: number | undefined;
  /** The lowest limit of the budgets that downgrade. Undefined: no budget of the account downgrades. */
  readonly downgradeAt: number | undefined;
}

/**
 * The accounts in which a call of this spender is counted. `mark` gives the text that stands for a user or a conversation in the store.
 * Without a conversation, budgets per conversation have no account.
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

/** A user without a tenant never spends a budget that names tenants. */
function isSpentBy({ role, tenants }: Budget, spender: Pick<Spender, 'roles' | 'tenant'>): boolean {
  if (role !== undefined && !spender.roles.has(role)) return false;
  return isOfTenant(tenants, spender.tenant);
}

/** Whether users of a tenant spend a budget that names these tenants. */
export function isOfTenant(tenants: Budget['tenants'], tenant: string | undefined): boolean {
  return tenants.length === 0 || (tenant !== undefined && tenants.some((glob) => matchesGlob(glob, tenant)));
}
