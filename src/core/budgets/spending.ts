import { TurnError } from '../errors/turn-error.ts';
import type { TokenEstimates } from '../history/token-estimates.ts';
import type { ChatModel, ModelReply } from '../ports/chat-model.ts';
import type { Logger } from '../ports/logger.ts';
import type { ModelCall, Payer, Spender } from '../ports/spender.ts';
import type { Admission, Budgets, Held, UsedUp } from './budgets.ts';
import { BudgetMeter } from './budget-meter.ts';
import { type Amounts, type ModelBounds, mostOf, nothing } from './call-amounts.ts';

/** A model with the bounds of its calls. `bounds` has an entry for the model itself and one for each of its fallbacks. */
export interface PricedModel {
  readonly model: ChatModel;
  readonly bounds: readonly ModelBounds[];
}

/** What spending is made of. */
export interface SpendingOptions {
  readonly budgets: Budgets;
  readonly estimates: TokenEstimates;
  /** The bounds of a model and of its fallbacks. */
  readonly boundsOf: (model: ChatModel) => readonly ModelBounds[];
  /** The model that answers once a budget that downgrades is used up. */
  readonly cheapest: PricedModel;
  readonly log: Logger;
}

/**
 * Calls models and counts the calls in budgets. Before a call, the most that it may take is held. After the call, what it has taken is
 * counted.
 */
export class Spending implements Payer {
  readonly #options: SpendingOptions;

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  /**
   * Undefined where it is known at once that something is left.
   * @throws TurnError `budget_exceeded` when a budget is used up already; `overloaded` when the store cannot be asked.
   */
  requireBudget(spender: Spender): Promise<void> | undefined {
    const usedUp = this.#options.budgets.usedUpBy(spender);
    if (usedUp instanceof Promise) return usedUp.catch(orOverloaded()).then(refuseUsedUp);
    refuseUsedUp(usedUp);
    return undefined;
  }

  /**
   * Holds what the call of a turn may take. A turn that continues after a crash holds the amount of its call anew, and the amount that was
   * held before the crash stays counted.
   * @throws TurnError `overloaded` when the store cannot be asked.
   */
  reserve(spender: Spender, { model, request }: Omit<ModelCall, 'sink'>): Promise<Admission> {
    const { budgets, estimates, boundsOf, cheapest } = this.#options;
    const most = {
      asked: mostOf(boundsOf(model), request, estimates),
      cheapest: budgets.mayDowngrade ? mostOf(cheapest.bounds, request, estimates) : undefined,
    };
    return budgets.hold(spender, most, request.signal).catch(orOverloaded(request.signal));
  }

  /**
   * Makes a call whose amount is held, and counts what it has taken: what every model has taken that was asked for it. The cheapest model
   * answers where `held` says so. `settling` receives the promise of the settlement,
   * which never rejects.
   * @throws what the model throws.
   */
  async run(held: Held, asked: ModelCall, settling: (work: Promise<void>) => void): Promise<ModelReply> {
    const { boundsOf, cheapest, estimates } = this.#options;
    const model = held.by === 'cheapest' ? cheapest.model : asked.model;
    const bounds = held.by === 'cheapest' ? cheapest.bounds : boundsOf(asked.model);
    const { signal } = asked.request;
    if (signal.aborted) settling(this.#settle(held, nothing));
    signal.throwIfAborted();
    const meter = new BudgetMeter(bounds, estimates);
    try {
      const reply = await model.run({ ...asked.request, meter }, asked.sink);
      settling(this.#settle(held, meter.taken(reply.usage)));
      return reply;
    } catch (error) {
      settling(this.#settle(held, meter.taken()));
      throw error;
    }
  }

  async pay(spender: Spender, call: ModelCall): Promise<ModelReply> {
    const { budgets, estimates, boundsOf } = this.#options;
    const { signal } = call.request;
    const asked = mostOf(boundsOf(call.model), call.request, estimates);
    const admission = await budgets.hold(spender, { asked }, signal).catch(orOverloaded(signal));
    if ('usedUp' in admission) throw budgetExceeded(admission.usedUp, 'refused');
    if ('isFree' in admission) return call.model.run(call.request, call.sink);
    let settled: Promise<void> = Promise.resolve();
    try {
      return await this.run(admission.held, call, (work) => {
        settled = work;
      });
    } finally {
      await settled;
    }
  }

  async #settle(held: Held, taken: Amounts): Promise<void> {
    const { budgets, log } = this.#options;
    try {
      await budgets.settle(held, taken);
    } catch (error) {
      log.error({ error }, 'what a call has taken could not be stored: all that was held for it counts');
    }
  }
}

function refuseUsedUp(usedUp: UsedUp | undefined): void {
  if (usedUp !== undefined) throw budgetExceeded(usedUp, 'refused');
}

/** When the store fails, the call is refused, because a call that cannot be counted must not be made. */
function orOverloaded(signal?: AbortSignal): (cause: unknown) => never {
  return (cause) => {
    signal?.throwIfAborted();
    throw new TurnError('failed', 'overloaded', 'the budgets cannot be looked up', { cause, retryable: true });
  };
}

/** The error that ends a turn whose budget is used up. `status` is `failed` when a part of the turn was done already. */
export function budgetExceeded({ per, budget, isHeld }: UsedUp, status: TurnError['status']): TurnError {
  const message = `the budget per ${per} is ${isHeld ? 'held for other calls' : 'used up'} until ${budget.resetsAt}`;
  return new TurnError(status, 'budget_exceeded', message, { retryable: isHeld, limit: 'budget', budget });
}
