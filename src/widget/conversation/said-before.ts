import type { AnswerPart, RestoredSession } from '../../wire/session-bodies.ts';
import { toldOnce } from './action-run.ts';
import { applyTold, type ToldEvent } from './apply-event.ts';
import { append, type ConversationState, isOpenQuestion, mapEntries, type RunningTurn } from './conversation-state.ts';
import { endTurn } from './end-turn.ts';

type Messages = RestoredSession['messages'];

/** The state with the earlier messages, questions, actions and cards before its own entries. */
export function saidBefore(state: ConversationState, messages: Messages): ConversationState {
  const before = messages.reduce<ConversationState>(
    (earlier, { role, text, at, answer, turnId, feedback }, index) => {
      const time = { at: Date.parse(at) };
      // What the server gives back is what is shown of a message. Files, pictures and the values of a form are gone.
      if (role === 'user') {
        return answered(append(earlier, { kind: 'user', text, turnId, feedback, isFinal: true, ...time }), answer);
      }
      // The pieces of this answer are in the transcript already.
      if (messages[index - 1]?.answer) return timed(earlier, time.at);
      return append(earlier, { kind: 'reply', text, isComplete: true, ending: 'none', ...time });
    },
    { ...state, entries: [] },
  );
  return { ...before, turn: state.turn, entries: [...before.entries, ...state.entries] };
}

/** The messages without the user's last message and its answer. */
export function withoutLast(messages: Messages): Messages {
  return messages.slice(
    0,
    Math.max(
      0,
      messages.findLastIndex(({ role }) => role === 'user'),
    ),
  );
}

function answered(asked: ConversationState, answer: readonly AnswerPart[] = []): ConversationState {
  const told = answer.reduce<ConversationState>(
    (state, { event: name, ...fields }) => {
      const event = { name, fields: { agent: '', ...fields } } as ToldEvent; // the server wrote it as an event
      return applyTold(state, event, false);
    },
    // The answer's events need a running turn, so that it can end as stopped. That turn has no message to offer again.
    { ...asked, turn: {} as RunningTurn }, // only the existence of the turn is read before it ends
  );
  const reply = answer.map((part) => (part.event === 'TextDelta' ? part.text : '')).join('');
  // An answer ends at an unanswered question only if the turn was stopped.
  const ended = endTurn(toldOnce(told, reply), told.entries.some(isOpenQuestion) ? 'stopped' : 'none');
  return mapEntries(ended, 'navigation', (entry) => ({ ...entry, isHandled: true }));
}

/** Gives every piece of the last answer the time of that answer. */
function timed(state: ConversationState, at: number): ConversationState {
  const message = state.entries.findLastIndex(({ kind }) => kind === 'user');
  const entries = state.entries.map((entry, index) =>
    index > message && entry.kind === 'reply' ? { ...entry, at } : entry,
  );
  return { ...state, entries };
}
