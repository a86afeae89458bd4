import { canonicalJson, hashArguments } from '../base/canonical-json.ts';
import type { ConfirmationRequest, RecordedEvent } from '../events/turn-event.ts';
import type { JournalEntry } from '../ports/confirmation-journal.ts';
import { StepRefused } from '../ports/step-refused.ts';
import { untilHeld } from '../record/until-held.ts';
import type { CallScope } from './call-scope.ts';

type RowScope = Pick<CallScope, 'turn' | 'services'>;

/**
 * Ends a question that was told although the journal did not take it. First the question gets a closed row, so that a
 * later request finds how the question ended (contract/restarts.md). Then its end is told as an event. Nothing happens
 * when the end was told before.
 */
export async function closeUnborn({ json }: RecordedEvent, { turn, services }: RowScope): Promise<void> {
  const told = JSON.parse(json) as ConfirmationRequest; // written by this server
  const { actionId } = told;
  if (turn.events.wasTold(`resolved/${actionId}`)) return;
  const { journal, clock } = services;
  const at = clock.now();
  const by = 'system';
  await untilTaken(() => journal.requested(entryOf(told, { turn, at }), turn.tape.hold()));
  await untilTaken(() => journal.answered(actionId, { answer: 'cancelled', by }, at));
  turn.events.once(`resolved/${actionId}`, { type: 'confirmation-resolved', actionId, outcome: 'cancelled', by });
}

/**
 * Repeats the change until the journal has it. The journal refuses a change that an earlier attempt has made, even when the store
 * reported that attempt as failed.
 */
async function untilTaken(change: () => Promise<void>): Promise<void> {
  try {
    await untilHeld(change);
  } catch (error) {
    if (!(error instanceof StepRefused)) throw error;
  }
}

function entryOf(
  { actionId, callId, action, agent, arguments: shown }: ConfirmationRequest,
  { turn, at }: { readonly turn: CallScope['turn']; readonly at: number },
): JournalEntry {
  const { channel, caller } = turn.request;
  const values = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
  return {
    actionId,
    requestedAt: at,
    callId,
    turnId: turn.id,
    conversationId: turn.conversationId,
    action,
    argumentsHash: hashArguments(values),
    arguments: canonicalJson(values),
    agent,
    owner: channel.confirmations === 'by-id' ? null : caller.principal.userKey,
  };
}
