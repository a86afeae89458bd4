import { type ActionRun, append, type ConversationState, mapEntries } from './conversation-state.ts';

/**
 * The state after the turn has ended: its replies are complete, no action runs, and an unanswered question is withdrawn. An interrupted
 * turn offers its message again.
 */
export function endTurn(
  state: ConversationState,
  ending: 'none' | 'stopped' | 'interrupted',
  hasActed = false,
): ConversationState {
  const { turn } = state;
  if (turn === null) return state;
  const last = state.entries.findLast((entry) => entry.kind === 'reply' && !entry.isComplete);
  const left: ActionRun = { status: leftRunning(ending), progress: '', reason: '' };
  let ended = mapEntries({ ...state, turn: null }, 'reply', (entry) =>
    entry.isComplete ? entry : { ...entry, isComplete: true, ending: entry === last ? ending : 'none' },
  );
  ended = mapEntries(ended, 'action', (entry) => (entry.status === 'running' ? { ...entry, ...left } : entry));
  const message = ended.entries.findLast((entry) => entry.kind === 'user')?.id ?? 0;
  const { turnId } = turn;
  // A turn of an earlier page has no message.
  const { images, cardSubmit } = { ...turn.message };
  const isFinal = hasActed || images !== undefined || cardSubmit !== undefined;
  ended = mapEntries(ended, 'user', (entry) =>
    entry.id === message ? { ...entry, ...(turnId && { turnId }), isFinal: isFinal || entry.isFinal === true } : entry,
  );
  ended = mapEntries(ended, 'confirmation', (entry) => {
    if (entry.outcome === null) {
      return { ...entry, answering: null, outcome: ending === 'interrupted' ? 'gone' : 'cancelled' };
    }
    // An approved action may have run while the connection was broken, and nobody was told.
    const isUntold = entry.run === null && ending === 'interrupted' && entry.id > message;
    const isOpen = entry.run?.status === 'running' || (entry.outcome === 'approved' && isUntold);
    return isOpen ? { ...entry, run: left } : entry;
  });
  if (ending === 'interrupted') {
    return append(ended, { kind: 'notice', notice: { type: 'interrupted' }, retry: turn.message });
  }
  if (ending === 'stopped' && last === undefined) {
    return append(ended, { kind: 'notice', notice: { type: 'stopped' }, retry: null });
  }
  return ended;
}

/** The state with the exchange that was to be replaced, because it stands. */
export function withReplaced(state: ConversationState): ConversationState {
  const { replaced = [] } = state.turn ?? {};
  const message = state.entries.findLastIndex(({ kind }) => kind === 'user');
  return { ...state, entries: state.entries.toSpliced(message, 0, ...replaced) };
}

/** The outcome of an action that ran while the connection broke is not known here. */
function leftRunning(ending: 'none' | 'stopped' | 'interrupted'): 'unknown' | 'cancelled' {
  return ending === 'interrupted' ? 'unknown' : 'cancelled';
}
