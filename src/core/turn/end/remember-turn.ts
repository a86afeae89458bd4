import { coordinatorName } from '../../agents/coordinator-name.ts';
import { saidAndDone } from '../../agents/said-and-done.ts';
import { mayHaveActed, receiptsOf } from '../../calls/receipts.ts';
import { maxKeptMessages } from '../../conversations/kept-conversations.ts';
import type { KeptEvent } from '../../events/shown-event.ts';
import { sourcesIn } from '../../knowledge/readable-sources.ts';
import type { ChatMessage } from '../../ports/chat-model.ts';
import { markedWithheld } from '../../prompt/with-notes.ts';
import type { KeptMessage } from '../../request/kept-message.ts';
import { scopeAnswer } from '../steps/check-scope.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { type End, errorEvent, isPolite } from './end-of-turn.ts';
import { keeperOf } from './keep-conversation.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { reducedBy } from '../conversation/reduced-history.ts';
import { shownOfCalls } from './shown-of-calls.ts';
import { newSummary } from '../conversation/summed-history.ts';
import type { TurnServices } from '../live/turn-services.ts';

/**
 * Keeps in the history what a turn said and did. A turn that broke off keeps its finished rounds and the text that the
 * user saw. A turn that said and did nothing leaves no trace. Returns what was added.
 */
export function rememberTurn(
  turn: LiveTurn,
  conversation: Conversation,
  { end, services }: { readonly end: End; readonly services: TurnServices },
): readonly KeptMessage[] {
  const { record, options } = turn;
  const asked = record.get('prompt/message') as ChatMessage | undefined; // recorded by `runTurn`
  const turnedAway = scopeAnswer(record);
  const said = turnedAway === undefined ? saidAndDone(record, coordinatorName) : [turnedAway];
  // If the reply was withheld, the question of the user still stays in the history.
  const isWithheld = end.error?.code === 'reply_withheld';
  if (asked === undefined || (said.length === 0 && !isWithheld)) return [];
  const times = { askedAt: options.askedAt, answeredAt: end.at };
  const shown = shownOfCalls(turn);
  const below = [...sourcesOf(turn), ...endingOf(end, turn, services)];
  const reduced = reducedBy(turn);
  const messages = isWithheld ? markedWithheld([asked, ...said]) : [asked, ...said];
  const limit = keeperOf(turn, services) === undefined ? services.maxSessionMessages : maxKeptMessages;
  const acted = mayHaveActed(turn.record) ? ({ acted: true } as const) : {};
  const mark = { turnId: turn.id, ...acted };
  const { replaces } = turn.request;
  const summed = newSummary(turn);
  conversation.record({ turn: mark, replaces, messages, shown, below, reduced, summed }, limit, times);
  return conversation.last(messages.length);
}

/** The documents that the reply uses, with who may read them: roles and tenants of a user can change. */
function sourcesOf({ record }: LiveTurn): readonly KeptEvent[] {
  const sources = sourcesIn(record);
  return sources.length === 0 ? [] : [{ type: 'rag-sources-ready', sources }];
}

/** How a turn broke off, and how its calls ended, as its user was shown. */
function endingOf({ status, error }: End, { record }: LiveTurn, services: TurnServices): readonly KeptEvent[] {
  const why = error === undefined || isPolite(error) ? [] : [errorEvent(error, services)];
  const receipts = receiptsOf(record);
  if (receipts.length > 0) return [...why, { type: 'turn-completed', status, receipts }];
  return status === 'stopped' ? [...why, { type: 'turn-completed', status }] : why;
}
