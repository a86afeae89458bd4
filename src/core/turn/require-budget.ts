import { spenderOf } from '../agents/paid-reply.ts';
import type { LiveTurn } from './live-turn.ts';
import type { TurnServices } from './turn-services.ts';

const key = 'budget';

/**
 * Refuses a message before anything is looked up or asked for it, where a budget of its user is used up (contract/limits.md#budgets). Undefined
 * where there are no budgets: the model must not wait for that. A turn that goes on was let in before.
 */
export function requireBudget(turn: LiveTurn, { spending }: TurnServices): Promise<unknown> | undefined {
  const { record } = turn;
  const paying = spending?.();
  if (record.isReplay || paying === undefined) return undefined;
  return record.step(key, async () => {
    await paying.requireBudget(spenderOf(turn));
    return true;
  });
}
