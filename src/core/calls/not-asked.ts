import { atMost } from '../base/at-most.ts';
import { outcomeNotAsked, shownKey, type ToolOutcome } from '../tools/tool-outcome.ts';
import type { EnteredCall } from './tool-call.ts';

/** Milliseconds for which what a turn tells may wait for the store until its user is told beside it. */
const momentMs = 300;

/** The outcome of a call that nobody was asked about, because the store failed for the reason `error`. */
export function notAsked({ call, scope }: EnteredCall, error: unknown): ToolOutcome {
  const { turn, services } = scope;
  const { callId, name: action } = call;
  const told = { error, callId, action, turnId: turn.id };
  services.log.error(told, 'nobody was asked about an action: the question could not be stored');
  return outcomeNotAsked(services.texts);
}

/**
 * Sees to it that the user is told of such an outcome now. What a kept turn tells waits for the store, which fails at this moment: where that
 * lasts, the user is told beside it, and once more in its place.
 */
export async function tellNow({ at, scope }: EnteredCall, { shown = [] }: ToolOutcome): Promise<void> {
  const { tape, events } = scope.turn;
  const waiting = { isOver: false };
  const stored = tape.flush().then(() => {
    waiting.isOver = true;
  });
  await atMost(momentMs, stored);
  const [notice] = shown;
  if (!waiting.isOver && notice !== undefined) events.early(shownKey(at, 0), notice);
}
