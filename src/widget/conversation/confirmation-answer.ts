import type { TurnEventHead, TurnHubEvents } from '../../wire/hub-events.ts';
import { type AnswerOutcome, AnswerRefusal, type ControlRequests } from '../transport/control-requests.ts';
import { TokenFault } from '../transport/page-token.ts';
import {
  type AnswerFailure,
  type ApprovalOptions,
  type ConversationState,
  type ConfirmationEntry,
  isOpenQuestion,
  mapEntries,
} from './conversation-state.ts';

/** Whether the question has no answer and none is on its way. */
function isAnswerable(state: ConversationState, actionId: string): boolean {
  return state.entries.some(
    (entry) => isOpenQuestion(entry) && entry.request.actionId === actionId && entry.answering === null,
  );
}

/** Where an answer is sent, and the state that shows its progress. */
export interface Answering {
  readonly control: ControlRequests;
  readonly state: () => ConversationState;
  readonly change: (state: ConversationState) => void;
}

/** Answers a confirmation. The question's box then shows the outcome. After a failed request the user can answer again. */
export async function answerConfirmation(
  { control, state, change }: Answering,
  answer: { readonly actionId: string; readonly approved: boolean } & ApprovalOptions,
): Promise<void> {
  const { actionId, approved } = answer;
  if (!isAnswerable(state(), actionId)) return;
  const answering = approved ? 'approved' : 'declined';
  change(answerSent(state(), actionId, { answering, edited: answer.arguments ?? null }));
  try {
    const outcome = await control.approve(answer);
    change(answerTaken(state(), actionId, outcome));
  } catch (error) {
    change(answerFailed(state(), actionId, error));
  }
}

/** The state while the answer is on its way. `edited` holds the arguments if the user changed any. */
function answerSent(
  state: ConversationState,
  actionId: string,
  answer: Pick<ConfirmationEntry, 'answering' | 'edited'>,
): ConversationState {
  return change(state, actionId, (entry) => ({ ...entry, ...answer, failure: null }));
}

/** The state after the server has taken the answer or had nothing left to answer. */
function answerTaken(state: ConversationState, actionId: string, outcome: AnswerOutcome): ConversationState {
  return change(state, actionId, (entry) => {
    // Somebody else answered first, perhaps with the same answer. The action then does not run with the arguments that this user changed.
    // If the outcome is known already, `edited` holds the arguments of that outcome.
    if (outcome === 'gone') {
      const by = entry.by === 'me' ? 'user' : entry.by;
      const edited = entry.outcome && entry.edited;
      return { ...entry, answering: null, edited, outcome: entry.outcome ?? 'gone', by };
    }
    return entry.outcome === null ? { ...entry, answering: null, outcome, by: 'me' } : entry;
  });
}

/** The state after an answer that did not count. The question is open again unless it was decided meanwhile. */
function answerFailed(state: ConversationState, actionId: string, error: unknown): ConversationState {
  return change(state, actionId, (entry) =>
    entry.outcome === null ? { ...entry, answering: null, edited: null, failure: failureOf(error) } : entry,
  );
}

/**
 * The state after the server has told the outcome. The server's word counts even if this user answered otherwise at the same moment. An
 * outcome that an earlier page has shown was the user's own answer.
 */
export function confirmationResolved(
  state: ConversationState,
  { actionId, outcome, by, arguments: edited }: Omit<TurnHubEvents['ConfirmationResolved'], keyof TurnEventHead>,
  isNews: boolean,
): ConversationState {
  return change(state, actionId, (entry) => {
    const answeredHere = entry.answering ?? (entry.by === 'me' ? entry.outcome : null);
    const isMine = by === 'user' && (!isNews || answeredHere === outcome);
    return { ...entry, answering: null, failure: null, edited: edited ?? null, outcome, by: isMine ? 'me' : by };
  });
}

function change(
  state: ConversationState,
  actionId: string,
  changed: (entry: ConfirmationEntry) => ConfirmationEntry,
): ConversationState {
  return mapEntries(state, 'confirmation', (entry) => (entry.request.actionId === actionId ? changed(entry) : entry));
}

function failureOf(error: unknown): AnswerFailure {
  if (error instanceof TokenFault) return { type: 'signed-out' };
  if (!(error instanceof AnswerRefusal)) return { type: 'unsent' };
  return error.detail === null ? { type: 'signed-out' } : { type: 'refused', detail: error.detail };
}
