import type { Metrics } from '../../core/ports/metrics.ts';
import { budgetScopes, combined } from './known-labels.ts';
import type { MetricsPage } from './metrics-page.ts';

/** Budgets that were used up (contract/operations.md#metrics). */
export function budgetMetrics(page: MetricsPage): Pick<Metrics, 'budgetUsedUp'> {
  const labels = { labelNames: ['per'], known: combined(budgetScopes) };
  const refusals = page.counter({
    name: 'helperagent_budget_refusals_total',
    help: 'Calls of models that a budget has refused, by who spends it together.',
    ...labels,
  });
  const downgrades = page.counter({
    name: 'helperagent_budget_downgrades_total',
    help: 'Calls that the cheapest model has answered because a budget is used up, by who spends it together.',
    ...labels,
  });
  const counters = { refused: refusals, downgraded: downgrades };
  return {
    budgetUsedUp({ per, outcome }) {
      counters[outcome].add(1, per);
    },
  };
}
