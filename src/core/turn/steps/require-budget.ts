import { spenderOf } from '../../agents/paid-reply.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/**
 * Refuses a message whose user has used up a budget, before any look-up and any call of a model (contract/limits.md#budgets). Undefined
 * where there are no budgets, so that the model does not wait. A turn that continues from a record is not checked again.
 */
export function requireBudget(turn: LiveTurn, { spending }: TurnServices): Promise<void> | undefined {
  const paying = spending?.();
  return turn.record.isReplay || paying === undefined ? undefined : paying.requireBudget(spenderOf(turn));
}
