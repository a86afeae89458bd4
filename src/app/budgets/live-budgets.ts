import type { Stores } from '../../adapters/stores/stores.ts';
import type { ModelChain } from '../../adapters/models/open-chat-model.ts';
import type { BudgetSettings, HelperSettings } from '../../config/settings.ts';
import { atMost } from '../../core/base/at-most.ts';
import { type Budget, partsOfCurrency } from '../../core/budgets/budget.ts';
import { BudgetLedger } from '../../core/budgets/budget-ledger.ts';
import { type BudgetOverview, Budgets, type BudgetsOptions } from '../../core/budgets/budgets.ts';
import { SharedAccounts } from '../../core/budgets/shared-accounts.ts';
import type { ModelBounds } from '../../core/budgets/call-amounts.ts';
import { Spending } from '../../core/budgets/spending.ts';
import type { RemainingBudget } from '../../core/events/turn-event.ts';
import type { TokenEstimates } from '../../core/history/token-estimates.ts';
import type { Principal } from '../../core/identity/principal.ts';
import type { BudgetStore } from '../../core/ports/budget-store.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { OpenModels } from '../reload/live-model.ts';
import type { Sealers } from '../reload/live-sealers.ts';
import { boundsOf, cheapestOf } from './model-bounds.ts';

interface LiveBudgetsServices extends BudgetsOptions {
  readonly store: BudgetLedger | SharedAccounts;
  readonly estimates: TokenEstimates;
  readonly log: Logger;
}

const dayMs = 86_400_000;
/** Milliseconds for which the closing server waits until the store has what was really spent. */
const lastWritingMs = 5_000;
/** Milliseconds after which a call that waits for amounts looks again, because other replicas may have given some back. */
const lookAgainMs = 1_000;

/** The present budgets. A reload replaces them, also for turns that run (contract/limits.md#budgets). */
export class LiveBudgets {
  readonly #services: LiveBudgetsServices;
  readonly #budgets: Budgets;
  /** By model. Models of earlier configurations are included: they still answer the turns that began with them. */
  readonly #bounds = new WeakMap<ChatModel, readonly ModelBounds[]>();
  #spending: Spending | undefined;

  constructor(services: LiveBudgetsServices) {
    this.#services = services;
    this.#budgets = new Budgets(services);
  }

  /** Gives back what is covered for calls that were not made. Waits for the storage for 5 s at most. Never rejects. */
  close(): Promise<void> {
    return atMost(lastWritingMs, this.#services.store.close());
  }

  /** From now on these settings apply. */
  take(
    { budgets, modelPricing }: Pick<HelperSettings, 'budgets' | 'modelPricing'>,
    { chat, chains }: OpenModels,
  ): void {
    const pricing = modelPricing ?? {};
    for (const [model, tried] of chains) this.#bounds.set(model, boundsOf(tried, pricing));
    this.#budgets.take(budgets.map(budgetOf));
    const cheapest = cheapestOf(chains.get(chat) ?? [], pricing);
    this.#spending = budgets.length === 0 || cheapest === undefined ? undefined : this.#spendingWith(cheapest, pricing);
  }

  /** The `Spending` that makes calls out of the present budgets; undefined while there are no budgets. */
  readonly spending = (): Spending | undefined => this.#spending;

  /** What a user may still spend. Undefined without a budget that refuses, and when the store cannot be read. Never rejects. */
  readonly remaining = async (principal: Principal): Promise<RemainingBudget | undefined> => {
    if (this.#spending === undefined) return undefined;
    try {
      return await this.#budgets.remaining(principal);
    } catch (error) {
      this.#services.log.warn({ error }, 'what is left of a budget could not be read');
      return undefined;
    }
  };

  /** As `Budgets.overview`. */
  overview(...asked: Parameters<Budgets['overview']>): Promise<readonly BudgetOverview[]> {
    return this.#budgets.overview(...asked);
  }

  #spendingWith(cheapest: ModelChain['tried'][number], pricing: NonNullable<HelperSettings['modelPricing']>): Spending {
    const { estimates, log } = this.#services;
    return new Spending({
      budgets: this.#budgets,
      estimates,
      boundsOf: (model) => this.#bounds.get(model) ?? [],
      cheapest: { model: cheapest.model, bounds: boundsOf([cheapest], pricing) },
      log,
    });
  }
}

/** Budgets over the store, which counts what earlier processes have left held. */
export async function openBudgets({
  stores,
  sealers,
  ...services
}: Omit<LiveBudgetsServices, 'store' | 'mark' | 'lookAgainMs'> & {
  readonly stores: Pick<Stores, 'budgets'>;
  readonly sealers: Pick<Sealers, 'marks'>;
}): Promise<LiveBudgets> {
  const { budgets: store } = stores;
  const { log } = services;
  await countLeftBehind(store, log);
  const mark = (name: string): string => sealers.marks(name)[0];
  if (store.isShared) {
    return new LiveBudgets({ ...services, store: new SharedAccounts({ store, log }), mark, lookAgainMs });
  }
  return new LiveBudgets({ ...services, store: new BudgetLedger({ store, log }), mark });
}

/** What other processes have left held counts as spent: nobody knows what those calls have taken. */
export async function countLeftBehind(store: BudgetStore, log: Pick<Logger, 'info'>): Promise<void> {
  const left = await store.countLeftBehind();
  const text = 'calls of an earlier process count in budgets with what they could take at most';
  if (left > 0) log.info({ calls: left }, text);
}

function budgetOf({ per, role, tokens, cost, window, tenants, then }: BudgetSettings): Budget {
  const counted =
    tokens === undefined
      ? ({ unit: 'cost', limit: Math.max(1, Math.round((cost ?? 0) * partsOfCurrency)) } as const)
      : ({ unit: 'tokens', limit: tokens } as const);
  return { per, role, ...counted, windowMs: window ?? dayMs, tenants, then };
}
