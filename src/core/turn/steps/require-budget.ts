import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/**
 * Refuses a message whose user has used up a budget, before any look-up and any call of a model (contract/limits.md#budgets). Undefined
 * where nobody has to wait: there are no budgets, or it is known that something is left. A turn that continues from a record is not checked
 * again.
 */
export function requireBudget(turn: LiveTurn, { spending }: TurnServices): Promise<void> | undefined {
  const paying = spending?.();
  return turn.record.isReplay || paying === undefined ? undefined : paying.requireBudget(turn.spender);
}
