import { coordinatorName } from '../agents/coordinator-name.ts';
import { saidAndDone } from '../agents/recorded-reply.ts';
import type { KeptEvent } from '../events/shown-event.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { Conversation } from './conversation.ts';
import { type End, errorEvent } from './end-of-turn.ts';
import type { LiveTurn } from './live-turn.ts';
import { shownOfCalls } from './shown-of-calls.ts';
import type { TurnServices } from './turn-services.ts';

/**
 * Keeps in the history what a turn said and did. A turn that broke off keeps its finished rounds and the text that the
 * user saw. A turn that said and did nothing leaves no trace.
 */
export function rememberTurn(
  turn: LiveTurn,
  conversation: Conversation,
  { end, services }: { readonly end: End; readonly services: TurnServices },
): void {
  const { record, options } = turn;
  const asked = record.get('prompt/message') as ChatMessage | undefined; // recorded by `runTurn`
  const said = saidAndDone(record, coordinatorName);
  if (asked === undefined || said.length === 0) return;
  const times = { askedAt: options.askedAt, answeredAt: end.at };
  const shown = shownOfCalls(turn);
  conversation.record(
    { messages: [asked, ...said], shown, ending: endingOf(end, services) },
    services.maxSessionMessages,
    times,
  );
}

/** How a turn broke off, as its user was shown it. */
function endingOf({ status, error }: End, services: TurnServices): KeptEvent | undefined {
  if (error !== undefined) return errorEvent(error, services);
  return status === 'stopped' ? { type: 'turn-completed', status } : undefined;
}
