import { TurnError } from '../../errors/turn-error.ts';
import type { CountedCaller } from '../../limits/counted-caller.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

/** Tells the security log who was refused, if a limit of callers is why the turn ended (contract/operations.md#logs). */
export function noteLimit(
  fault: unknown,
  { turn, caller }: { readonly turn: LiveTurn; readonly caller?: CountedCaller | undefined },
  { refusals }: Pick<TurnServices, 'refusals'>,
): void {
  if (!(fault instanceof TurnError) || fault.limit === undefined) return;
  refusals?.noteLimit(fault.limit, caller, { turnId: turn.id, conversationId: turn.conversationId });
}
