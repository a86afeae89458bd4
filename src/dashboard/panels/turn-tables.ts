import type { AdminMetrics, BudgetFigures } from '../../wire/admin-metrics.ts';
import type { PageContext } from '../page-context.ts';
import { numeric, type Table } from './table.ts';

/** The turns that took longest. */
export function slowestTable(context: PageContext, metrics: AdminMetrics): Table {
  return turnsTable('slowest', context, metrics);
}

/** The turns that cost most. */
export function dearestTable(context: PageContext, metrics: AdminMetrics): Table {
  return turnsTable('dearest', context, metrics);
}

function turnsTable(name: 'slowest' | 'dearest', { texts, formats }: PageContext, metrics: AdminMetrics): Table {
  const turns = metrics[name];
  return {
    name,
    title: texts[name],
    columns: [
      { title: texts.turn },
      { title: texts.endedAt },
      { title: texts.channel },
      { title: texts.status },
      { title: texts.model },
      ...numeric(texts.duration, texts.tokensIn, texts.tokensOut, texts.cost),
    ],
    rows: turns.map(({ turnId, at, channel, status, model, durationMs, inputTokens, outputTokens, cost }) => [
      turnId,
      formats.moment(at),
      channel,
      texts.turnStates[status],
      model === '' ? texts.unknown : model,
      formats.duration(durationMs),
      formats.number(inputTokens),
      formats.number(outputTokens),
      cost === null ? texts.noPrice : formats.cost(cost),
    ]),
    ...(name === 'dearest' ? { note: texts.ofLastDay } : {}),
  };
}

/** What may be spent, and what is spent of it now. */
export function budgetsTable({ texts, formats }: PageContext, { live: { budgets } }: AdminMetrics): Table {
  return {
    name: 'budgets',
    title: texts.groups.budgets,
    columns: [
      { title: texts.budget },
      { title: texts.usedUp },
      ...numeric(texts.budgetLimit, texts.spent, texts.held, texts.window, texts.windowEnds),
    ],
    rows: budgets.map(({ per, role, unit, limit, windowMs, whenUsedUp, spent, held, resetsAt }) => {
      const amount = (value: number): string =>
        unit === 'cost' ? formats.cost(value) : `${formats.number(value)} ${texts.tokens}`;
      return [
        nameOf({ per, role }, texts),
        texts.usedUpStates[whenUsedUp],
        amount(limit),
        spent === null ? texts.unknown : `${amount(spent)} (${formats.share(spent / limit)})`,
        held === null ? texts.unknown : amount(held),
        formats.duration(windowMs),
        resetsAt === null ? texts.unknown : formats.moment(resetsAt),
      ];
    }),
    ...(budgets.some(({ spent }) => spent === null) ? { note: texts.spentApart } : {}),
  };
}

/** Who spends a budget. */
function nameOf({ per, role }: Pick<BudgetFigures, 'per' | 'role'>, texts: PageContext['texts']): string {
  if (role === null) return texts.spenders[per];
  return per === 'role' ? `${texts.spenders.role} ${role}` : `${texts.spenders[per]} (${texts.withRole(role)})`;
}
