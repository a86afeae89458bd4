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
  /** A whole number: tokens, or parts of the currency. */
  readonly limit: number;
  readonly windowMs: number;
  /** Globs of tenants whose users spend the budget. Empty: all users spend it, also users without a tenant. */
  readonly tenants: readonly string[];
  readonly then: 'refuse' | 'downgrade';
}

/** The parts of one unit of the currency in which costs are counted. Sums of whole numbers have no rounding error. */
export const partsOfCurrency = 1_000_000_000;

const dayMs = 86_400_000;

/** One count of what is spent, with its limits. Budgets that count the same thing share one account. */
export interface Account {
  readonly account: string;
  readonly per: BudgetScope;
  readonly unit: BudgetUnit;
  /** When a window that begins now would end (epoch milliseconds). */
  readonly endsAt: number;
  /** The least limit of the budgets that refuse. Undefined without such a budget. */
  readonly refuseAt: number | undefined;
  /** The least limit of the budgets that downgrade. Undefined without such a budget. */
  readonly downgradeAt: number | undefined;
}

/**
 * The accounts in which a call of this spender is counted. `mark` gives the text that stands for a user or a conversation in the store.
 * Without a conversation, the accounts of conversations are left out.
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

/** A spender without a tenant does not spend a budget that names tenants. */
function isSpentBy({ role, tenants }: Budget, spender: Pick<Spender, 'roles' | 'tenant'>): boolean {
  if (role !== undefined && !spender.roles.has(role)) return false;
  const { tenant } = spender;
  return tenants.length === 0 || (tenant !== undefined && tenants.some((glob) => matchesGlob(glob, tenant)));
}
