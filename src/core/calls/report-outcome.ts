import type { TurnEvent } from '../events/turn-event.ts';
import { isHeld } from '../guardrails/held-reply.ts';
import { tenantOf } from '../identity/principal.ts';
import { type RecordedOutcome, type ShownByCall, shownKey } from '../tools/tool-outcome.ts';
import { meteredName } from '../tools/tool-name.ts';
import type { CallScope } from './call-scope.ts';
import type { EnteredCall } from './tool-call.ts';

type ActionEvent = Extract<TurnEvent, { readonly type: `action-${string}` }>;

/** The feedback events, unless `enableActionFeedback` is off (contract/events.md#order). Nothing follows the end of the turn. */
export function tellAction({ turn, services }: CallScope, key: string, event: ActionEvent): void {
  if (services.enableActionFeedback && !turn.events.ended) turn.events.once(key, event);
}

/**
 * Tells the outcome of a call once the outcome is recorded: first the events of what the call shows, then the event of its end.
 * `isNew`: the outcome is also counted in the metrics.
 */
export function reportOutcome({ call, at, scope }: EnteredCall, outcome: RecordedOutcome, isNew: boolean): void {
  const { durationMs, status, shown = [], told = {} } = outcome;
  if (durationMs === undefined) return;
  const { callId, name: action } = call;
  const { events, record } = scope.turn;
  // A held reply is shown with its cards, or not at all.
  const isLater = ({ type }: ShownByCall): boolean => type === 'card-ready' && isHeld(record);
  for (const [index, event] of shown.entries()) if (!isLater(event)) events.once(shownKey(at, index), event);
  tellAction(scope, `${at}/completed`, { type: 'action-completed', callId, action, status, durationMs, ...told });
  if (!isNew) return;
  const tenant = tenantOf(scope.turn.request.caller.principal);
  scope.services.metrics.of(tenant).toolCalled({ action: meteredName(action), status, durationMs });
}
