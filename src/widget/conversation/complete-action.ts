import type { TurnHubEvents } from '../../wire/hub-events.ts';
import { append, type ConversationState, type Entry, mapEntries } from './conversation-state.ts';

type Completed = TurnHubEvents['ActionCompleted'];

/** How an action ended. What was said just before of its failure belongs to its line: a failure is one message. */
export function completeAction(state: ConversationState, fields: Completed): ConversationState {
  const { callId, action, status } = fields;
  const last = state.entries.at(-1);
  const isTold = last?.kind === 'notice' && last.notice.type === 'action' && isCall(state, callId);
  const told = isTold && 'message' in last.notice ? last.notice.message : '';
  // That it is unclear what happened, and is to be checked, is what this status says anyway.
  const reason = fields.message ?? (status === 'unknown' ? '' : told);
  const known = isTold ? { ...state, entries: state.entries.slice(0, -1) } : state;
  if (isCall(known, callId)) {
    return mapEntries(known, 'action', (entry) =>
      entry.callId === callId ? { ...entry, progress: '', status, reason } : entry,
    );
  }
  // A declined call was never running: its confirmation box already says how it ended.
  if (reason === '' && known.entries.some((entry) => isQuestionOf(entry, callId))) return known;
  const title = fields.title ?? action.replaceAll('_', ' ');
  return append(known, { kind: 'action', callId, title, progress: '', status, reason });
}

/** Leaves out what the reply of the same turn says in the same words. */
export function toldOnce(state: ConversationState, reply: string): ConversationState {
  const message = state.entries.findLastIndex(({ kind }) => kind === 'user');
  const entries = state.entries.flatMap((entry, index): Entry[] => {
    if (index < message) return [entry];
    if (entry.kind === 'notice' && entry.notice.type === 'action' && reply.includes(entry.notice.message)) return [];
    const isRepeated = entry.kind === 'action' && entry.reason !== '' && reply.includes(entry.reason);
    return [isRepeated ? { ...entry, reason: '' } : entry];
  });
  return { ...state, entries };
}

function isCall({ entries }: ConversationState, callId: string): boolean {
  return entries.some((entry) => entry.kind === 'action' && entry.callId === callId);
}

function isQuestionOf(entry: Entry, callId: string): boolean {
  return entry.kind === 'confirmation' && entry.request.callId === callId;
}
