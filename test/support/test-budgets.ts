import { InMemoryBudgetStore } from '../../src/adapters/stores/in-memory/in-memory-budget-store.ts';
import { tokenxCounter } from '../../src/adapters/tokens/tokenx-counter.ts';
import type { Budget } from '../../src/core/budgets/budget.ts';
import { Budgets } from '../../src/core/budgets/budgets.ts';
import type { ModelBounds } from '../../src/core/budgets/call-amounts.ts';
import { Spending } from '../../src/core/budgets/spending.ts';
import { TokenEstimates } from '../../src/core/history/token-estimates.ts';
import type { BudgetAccounts } from '../../src/core/ports/budget-store.ts';
import type { ChatModel } from '../../src/core/ports/chat-model.ts';
import { recordingLogger, recordingMetrics } from './quiet.ts';

export interface TestBudgetsOptions {
  readonly budgets: readonly Budget[];
  readonly store?: BudgetAccounts;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  /** Milliseconds of a monotonic clock. It measures how long calls wait for other calls. */
  readonly elapsed?: () => number;
  /** The bounds of the models that are asked. Left out, there is one model with the usual bounds. */
  readonly bounds?: readonly ModelBounds[];
  readonly cheapest?: { readonly model: ChatModel; readonly bounds: readonly ModelBounds[] };
}

/** A budget of 100 tokens a day for each user. When it is used up, messages are refused. */
export function budget(changes: Partial<Budget> = {}): Budget {
  const usual = { per: 'user', role: undefined, unit: 'tokens', limit: 100, windowMs: 86_400_000 } as const;
  return { ...usual, tenants: [], then: 'refuse', ...changes };
}

/** Bounds of a model that answers with at most 50 tokens. */
export function bounds(changes: Partial<ModelBounds> = {}): ModelBounds {
  return { model: 'fake-1', contextWindow: 128_000, maxOutputTokens: 50, price: undefined, ...changes };
}

/** The real budgets. Their store is in memory unless the test gives another. */
export function testBudgets(options: TestBudgetsOptions) {
  const { budgets: given, store, now = Date.now, bounds: own, cheapest } = options;
  const elapsed = options.elapsed ?? ((): number => performance.now());
  const [metrics, log] = [recordingMetrics(), recordingLogger()];
  const kept = store ?? new InMemoryBudgetStore();
  const budgets = new Budgets({
    store: kept,
    mark: (text) => `mark of ${text}`,
    clock: { now, elapsed },
    metrics,
  });
  budgets.take(given);
  const bounded = own ?? [bounds()];
  const none: ChatModel = { model: 'none', provider: 'fake', isDemo: false, run: unasked, close: closed };
  const spending = new Spending({
    budgets,
    estimates: new TokenEstimates(tokenxCounter),
    boundsOf: () => bounded,
    cheapest: cheapest ?? { model: none, bounds: bounded },
    log,
  });
  return { budgets, spending, store: kept, metrics, log };
}

const unasked = (): Promise<never> => Promise.reject(new Error('nobody asks this model'));
const closed = (): Promise<void> => Promise.resolve();
