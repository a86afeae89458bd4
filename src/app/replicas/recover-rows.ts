import type { BudgetStore } from '../../core/ports/budget-store.ts';
import type { Logger } from '../../core/ports/logger.ts';
import { countLeftBehind } from '../budgets/live-budgets.ts';
import type { LiveMemory } from '../memory/open-memory.ts';
import type { Recovery } from './recovery.ts';

/** Adds the steps for what every replica stores, beside turns, confirmations and the tasks of other agents. */
export function recoverRows(
  recovery: Pick<Recovery, 'add'>,
  {
    budgets,
    memory,
    onDelivery,
    log,
  }: {
    readonly budgets: BudgetStore;
    readonly memory: Pick<LiveMemory, 'takeUp'>;
    /** Looks for deliveries to webhooks that are due. */
    readonly onDelivery: () => void;
    readonly log: Logger;
  },
): void {
  recovery.add({ name: 'budgets', run: () => countLeftBehind(budgets, log) });
  recovery.add({ name: 'memory', run: () => memory.takeUp() });
  recovery.add({
    name: 'webhooks',
    run: () => {
      onDelivery();
      return Promise.resolve();
    },
  });
}
