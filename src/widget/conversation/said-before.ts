import type { AnswerPart, RestoredSession } from '../../wire/session-bodies.ts';
import { toldOnce } from './action-run.ts';
import { applyTold, type ToldEvent } from './apply-event.ts';
import { append, type ConversationState, isOpenQuestion, mapEntries, type RunningTurn } from './conversation-state.ts';
import { endTurn } from './end-turn.ts';

type Messages = RestoredSession['messages'];

/** The state with what was said, asked, done and shown before everything that stands there. */
export function saidBefore(state: ConversationState, messages: Messages): ConversationState {
  const before = messages.reduce<ConversationState>(
    (earlier, { role, text, at, answer }, index) => {
      const time = { at: Date.parse(at) };
      if (role === 'user') return answered(append(earlier, { kind: 'user', text, ...time }), answer);
      // It stands there in its pieces.
      if (messages[index - 1]?.answer) return timed(earlier, time.at);
      return append(earlier, { kind: 'reply', text, isComplete: true, ending: 'none', ...time });
    },
    { ...state, entries: [] },
  );
  return { ...before, turn: state.turn, entries: [...before.entries, ...state.entries] };
}

/** Without the last message of the user and what answered it. */
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
      const event = { name, fields: { agent: '', ...fields } } as ToldEvent; // the server has written it so
      return applyTold(state, event, false);
    },
    // As if it ran, so that it can end as stopped. No message of it is offered again.
    { ...asked, turn: {} as RunningTurn }, // nothing else of it is read before it ends
  );
  const reply = answer.map((part) => (part.event === 'TextDelta' ? part.text : '')).join('');
  // Only a stop ends an answer at a question that nobody has answered.
  const ended = endTurn(toldOnce(told, reply), told.entries.some(isOpenQuestion) ? 'stopped' : 'none');
  return mapEntries(ended, 'navigation', (entry) => ({ ...entry, isHandled: true }));
}

/** The pieces of the last answer were said when it was. */
function timed(state: ConversationState, at: number): ConversationState {
  const message = state.entries.findLastIndex(({ kind }) => kind === 'user');
  const entries = state.entries.map((entry, index) =>
    index > message && entry.kind === 'reply' ? { ...entry, at } : entry,
  );
  return { ...state, entries };
}
