import type { ConfirmationRequestedFields, TurnEventHead, TurnHubEvents } from '../../wire/hub-events.ts';
import { beginAction, completeAction, mapRun, toldOnce, withReceipts } from './action-run.ts';
import { agentActed, speakerOf } from './agents-at-work.ts';
import { confirmationResolved } from './confirmation-answer.ts';
import { append, type ConversationState, mapEntries } from './conversation-state.ts';
import { endTurn, withReplaced } from './end-turn.ts';

/** One event of a turn with its hub name. */
export type TurnHubEvent = {
  [Name in keyof TurnHubEvents]: { readonly name: Name; readonly fields: TurnHubEvents[Name] };
}[keyof TurnHubEvents];

/** One event without the turn and the number that it has there. */
export type ToldEvent = {
  [Name in keyof TurnHubEvents]: {
    readonly name: Name;
    readonly fields: Omit<TurnHubEvents[Name], keyof TurnEventHead>;
  };
}[keyof TurnHubEvents];

/**
 * The state after one event of the running turn (contract/events.md). Returns the same object for an event that says nothing new: an
 * event of another turn, or one that was delivered before a reconnect. `seq` identifies an event within its turn. `isNews` is false for
 * an event that an earlier page of the tab has shown.
 */
export function applyEvent(state: ConversationState, event: TurnHubEvent, isNews = true): ConversationState {
  const { turn } = state;
  const { turnId, seq } = event.fields;
  if (turn === null) return state;
  // While the storage fails, the server tells this before its place, and once more there (contract/restarts.md#storage-that-fails).
  const mayBeEarly = event.name === 'ErrorOccurred' && event.fields.code === 'question_not_stored';
  const isEarly = mayBeEarly && seq <= turn.lastSeq;
  if (isEarly ? turn.isToldEarly === true : seq <= turn.lastSeq) return state;
  // Before the turn has begun, arriving events belong to a turn that a new conversation has removed.
  const begins = event.name === 'TurnStarted' || isEarly;
  if (turn.turnId === null ? !begins : turn.turnId !== turnId) return state;
  const told = { ...state, turn: { ...turn, turnId, lastSeq: Math.max(seq, turn.lastSeq) } };
  if (isEarly) return applyTold({ ...told, turn: { ...told.turn, isToldEarly: true } }, event, isNews);
  return mayBeEarly && turn.isToldEarly === true ? told : applyTold(told, event, isNews);
}

/** The state after an event of any turn. */
export function applyTold(state: ConversationState, event: ToldEvent, isNews: boolean): ConversationState {
  switch (event.name) {
    case 'TurnStarted':
      return started(state, event.fields.conversationId);
    case 'TextDelta':
      return addText(state, event.fields.text, event.fields.agent);
    case 'ThoughtReady':
      return append(state, { kind: 'thought', text: event.fields.text });
    case 'TextReplaced':
      return replaceText(state, event.fields.text);
    case 'ActionExecuting':
      return beginAction(state, event.fields);
    case 'ActionProgress':
      return mapRun(state, event.fields.callId, (run) => ({ ...run, progress: event.fields.text }));
    case 'ActionCompleted':
      return completeAction(state, event.fields);
    case 'AgentActivity':
      return agentActed(state, event.fields);
    case 'ConfirmationRequested':
      return ask(state, event.fields);
    case 'ConfirmationResolved':
      return confirmationResolved(state, event.fields, isNews);
    case 'NavigationRequested':
      return append(state, {
        kind: 'navigation',
        title: event.fields.title,
        url: event.fields.url,
        isHandled: false,
      });
    case 'CardReady':
      return append(state, { kind: 'card', cardId: event.fields.cardId, card: event.fields.card });
    case 'RagSourcesReady':
      if (state.hidesSources) return state;
      return mapEntries(append(state, { kind: 'sources', sources: event.fields.sources }), 'reply', (entry) =>
        entry.isComplete ? entry : { ...entry, cited: event.fields.sources },
      );
    case 'ErrorOccurred':
      return fail(state, event.fields);
    case 'TurnCompleted':
      return complete(state, event.fields);
  }
}

/** Codes of a turn that the server ended on purpose (contract/errors.md). */
const refusal = /^(?:budget|file|image|message|rate|reply|safety|too|unsafe)_/;

function fail(
  state: ConversationState,
  { code, message, retryable, budget, retryAfter }: Omit<TurnHubEvents['ErrorOccurred'], keyof TurnEventHead>,
): ConversationState {
  const type = /^(?:action|question)_/.test(code) ? 'action' : refusal.test(code) ? 'refusal' : 'server';
  // After the fault of an action the turn goes on.
  const retry = retryable && type !== 'action' ? (state.turn?.message ?? null) : null;
  const known = { ...state, budget: budget ?? state.budget };
  // If the user can send the message again, the notice does not tell when the budget is renewed.
  const retryAt = retryAfter === undefined ? undefined : Date.now() + retryAfter * 1000;
  const notice = { type, message, budget: retryable ? undefined : budget, retryAt } as const;
  return append(known, { kind: 'notice', notice, retry });
}

/** A new conversation id means that the server no longer knows the messages above. A notice tells the user so. */
function started(state: ConversationState, conversationId: string): ConversationState {
  const isForgotten =
    state.conversationId !== null && state.conversationId !== conversationId && state.entries.length > 1;
  const known: ConversationState = { ...state, conversationId };
  if (!isForgotten) return known;
  const message = known.entries.at(-1);
  if (message?.kind !== 'user') return append(known, { kind: 'notice', notice: { type: 'forgotten' }, retry: null });
  const before = append(
    { ...known, entries: known.entries.slice(0, -1) },
    { kind: 'notice', notice: { type: 'forgotten' }, retry: null },
  );
  return { ...before, entries: [...before.entries, message] };
}

/** Adds to the reply. The words of another speaker begin a part of their own. */
function addText(before: ConversationState, text: string, agent = ''): ConversationState {
  const state = before.turn === null ? before : { ...before, turn: { ...before.turn, isSpeaking: true } };
  const last = state.entries.at(-1);
  const speaker = speakerOf(state, agent);
  if (last?.kind !== 'reply' || last.isComplete || (last.speaker ?? '') !== speaker) {
    const said = speaker === '' ? {} : { speaker };
    return append(state, { kind: 'reply', text, ...said, isComplete: false, ending: 'none' });
  }
  return { ...state, entries: [...state.entries.slice(0, -1), { ...last, text: last.text + text }] };
}

/**
 * Replaces the text of the reply. The reply stands in pieces between the actions that ran meanwhile. A piece stays where the new text has
 * it too. A shortened piece becomes a new entry, because its text may continue differently.
 */
function replaceText(state: ConversationState, text: string): ConversationState {
  const message = state.entries.findLastIndex(({ kind }) => kind === 'user');
  let { nextId } = state;
  let left = text;
  const entries = state.entries.flatMap((entry, index) => {
    if (index < message || entry.kind !== 'reply') return [entry];
    if (left.startsWith(entry.text)) {
      left = left.slice(entry.text.length);
      return [entry];
    }
    // Text that differs from the earlier piece is added again at the end, after the actions.
    const share = entry.text.startsWith(left) ? left : '';
    left = left.slice(share.length);
    return share === '' ? [] : [{ ...entry, text: share, id: nextId++ }];
  });
  const replaced = { ...state, entries, nextId };
  return left === '' ? replaced : addText(replaced, left);
}

/**
 * After a reconnect the server sends an open question again under the same id (contract/hub.md#when-the-line-breaks). The question keeps
 * its one box.
 */
function ask(state: ConversationState, request: ConfirmationRequestedFields): ConversationState {
  const isKnown = state.entries.some(
    (entry) => entry.kind === 'confirmation' && entry.request.actionId === request.actionId,
  );
  if (isKnown) return state;
  return append(state, {
    kind: 'confirmation',
    request,
    answering: null,
    failure: null,
    edited: null,
    outcome: null,
    by: 'system',
    run: null,
  });
}

function complete(
  state: ConversationState,
  fields: Pick<TurnHubEvents['TurnCompleted'], 'text' | 'status' | 'receipts'>,
): ConversationState {
  const hasText = state.entries.some((entry) => entry.kind === 'reply' && !entry.isComplete);
  const shown = hasText || fields.text === '' ? state : addText(state, fields.text);
  const stopped = state.turn?.isRunning === true && !state.turn.isStopping ? 'interrupted' : 'stopped';
  // A turn that has said nothing leaves no trace on the server.
  const stands = fields.status !== 'completed' && fields.text === '' ? withReplaced(shown) : shown;
  return endTurn(
    withReceipts(toldOnce(stands, fields.text), fields.receipts),
    fields.status === 'stopped' ? stopped : 'none',
    fields.receipts?.some(({ status }) => !/^(?:declined|refused|cancelled)$/.test(status)),
  );
}
