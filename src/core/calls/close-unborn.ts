import { canonicalJson, hashArguments } from '../base/canonical-json.ts';
import type { ConfirmationRequest, RecordedEvent } from '../events/turn-event.ts';
import type { JournalEntry } from '../ports/confirmation-journal.ts';
import type { CallScope } from './call-scope.ts';
import { withdrawQuestion } from './store-in-time.ts';

type RowScope = Pick<CallScope, 'turn' | 'services'>;

/**
 * Ends a question that was told although the journal does not have it. First the question gets a closed row, so that a
 * later request finds how the question ended (contract/restarts.md). Then its end is told as an event. Nothing happens
 * when the end was told before.
 */
export async function closeUnborn({ json }: RecordedEvent, { turn, services }: RowScope): Promise<void> {
  const told = JSON.parse(json) as ConfirmationRequest; // written by this server
  const { actionId } = told;
  if (turn.events.wasTold(`resolved/${actionId}`)) return;
  await withdrawQuestion(entryOf(told, { turn, at: services.clock.now() }), services);
  turn.events.once(`resolved/${actionId}`, {
    type: 'confirmation-resolved',
    actionId,
    outcome: 'cancelled',
    by: 'system',
  });
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
