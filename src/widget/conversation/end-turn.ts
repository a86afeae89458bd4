import { type ActionRun, append, type ConversationState, mapEntries } from './conversation-state.ts';

/**
 * Closes what the turn left open: its replies are complete, nothing runs any more, and an unanswered question is
 * withdrawn. An interrupted turn offers its message again.
 */
export function endTurn(state: ConversationState, ending: 'none' | 'stopped' | 'interrupted'): ConversationState {
  const { turn } = state;
  if (turn === null) return state;
  const last = state.entries.findLast((entry) => entry.kind === 'reply' && !entry.isComplete);
  const left: ActionRun = { status: leftRunning(ending), progress: '', reason: '' };
  let ended = mapEntries({ ...state, turn: null }, 'reply', (entry) =>
    entry.isComplete ? entry : { ...entry, isComplete: true, ending: entry === last ? ending : 'none' },
  );
  ended = mapEntries(ended, 'action', (entry) => (entry.status === 'running' ? { ...entry, ...left } : entry));
  const message = ended.entries.findLast((entry) => entry.kind === 'user')?.id ?? 0;
  ended = mapEntries(ended, 'confirmation', (entry) => {
    if (entry.outcome === null) {
      return { ...entry, answering: null, outcome: ending === 'interrupted' ? 'gone' : 'cancelled' };
    }
    // What was approved may have run where nobody could be told.
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

/** Whether an action that ran while the connection broke has happened is not known here. */
function leftRunning(ending: 'none' | 'stopped' | 'interrupted'): 'unknown' | 'cancelled' {
  return ending === 'interrupted' ? 'unknown' : 'cancelled';
}
