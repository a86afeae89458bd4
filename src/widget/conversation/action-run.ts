import type { Receipt, TurnEventHead, TurnHubEvents } from '../../wire/hub-events.ts';
import { type ActionRun, append, type ConversationState, type Entry } from './conversation-state.ts';

type Executing = TurnHubEvents['ActionExecuting'];
type Completed = Omit<TurnHubEvents['ActionCompleted'], keyof TurnEventHead>;
type ActionEntry = Extract<Entry, { kind: 'action' | 'confirmation' }>;

/** Shows that an action begins. An action with a question continues in the line of its question. Any other action gets a line of its own. */
export function beginAction(
  state: ConversationState,
  { callId, title, titles }: Pick<Executing, 'callId' | 'title' | 'titles'>,
): ConversationState {
  const run: ActionRun = { status: 'running', progress: '', reason: '' };
  if (lineOf(state, callId)?.kind === 'confirmation') return mapRun(state, callId, () => run);
  return append(state, { kind: 'action', callId, title, ...(titles && { titles }), ...run });
}

/** Shows how an action ended. If a notice has just told the failure, the notice moves to the action's line. The user then reads it once. */
export function completeAction(state: ConversationState, fields: Completed): ConversationState {
  const { callId, action, status } = fields;
  const line = lineOf(state, callId);
  const last = state.entries.at(-1);
  const isTold = last?.kind === 'notice' && last.notice.type === 'action' && line !== undefined;
  const told = isTold && 'message' in last.notice ? last.notice.message : '';
  // The status `unknown` already says that the outcome is unclear and must be checked.
  const reason = fields.message ?? (status === 'unknown' ? '' : told);
  const known = isTold ? { ...state, entries: state.entries.slice(0, -1) } : state;
  if (line === undefined) {
    const title = fields.title ?? action.replaceAll('_', ' ');
    return append(known, { kind: 'action', callId, title, progress: '', status, reason });
  }
  // An action that was not approved never ran, and its question shows that already.
  const neverRan = line.kind === 'confirmation' && line.run === null && line.outcome !== 'approved';
  if (neverRan && reason === '') return known;
  return mapRun(known, callId, ({ progress }) => ({ status, progress, reason }));
}

/** The state after `change` was applied to the run of this call, wherever the transcript shows that run. */
export function mapRun(
  state: ConversationState,
  callId: string,
  change: (run: ActionRun) => ActionRun,
): ConversationState {
  const line = lineOf(state, callId);
  const entries = state.entries.map((entry) => (entry === line ? withRun(line, change) : entry));
  return { ...state, entries };
}

function withRun(entry: ActionEntry, change: (run: ActionRun) => ActionRun): ActionEntry {
  if (entry.kind === 'action') return { ...entry, ...change(entry) };
  return { ...entry, run: change(entry.run ?? { status: 'running', progress: '', reason: '' }) };
}

/** Removes the reason of a failure, in a notice or in an action's line, when the reply of the same turn contains the same words. */
export function toldOnce(state: ConversationState, reply: string): ConversationState {
  const message = state.entries.findLastIndex(({ kind }) => kind === 'user');
  const entries = state.entries.flatMap((entry, index): Entry[] => {
    if (index < message) return [entry];
    if (entry.kind === 'notice' && entry.notice.type === 'action' && reply.includes(entry.notice.message)) return [];
    const run = entry.kind === 'action' ? entry : entry.kind === 'confirmation' ? entry.run : null;
    if (run === null || run.reason === '' || !reply.includes(run.reason)) return [entry];
    return [withRun(entry as ActionEntry, (told) => ({ ...told, reason: '' }))]; // only action entries have a run
  });
  return { ...state, entries };
}

/**
 * The state after the server has told how the calls of a turn ended. A call with a line in the transcript shows its end in that line. All
 * other calls are listed below the reply.
 */
export function withReceipts(state: ConversationState, receipts: readonly Receipt[] = []): ConversationState {
  const untold: Receipt[] = [];
  let told = state;
  for (const receipt of receipts) {
    const { callId, status } = receipt;
    const line = lineOf(state, callId);
    if (line === undefined) untold.push(receipt);
    // A question that was not approved shows its outcome already.
    else if (line.kind === 'action' || line.outcome === 'approved')
      told = mapRun(told, callId, (run) => ({ ...run, status }));
  }
  return untold.length === 0 ? told : append(told, { kind: 'receipts', receipts: untold });
}

/** The line of a call. For a call with a question, this is the line of the question. */
function lineOf({ entries }: ConversationState, callId: string): ActionEntry | undefined {
  return entries.findLast((entry): entry is ActionEntry => {
    if (entry.kind === 'confirmation') return entry.request.callId === callId;
    return entry.kind === 'action' && entry.callId === callId;
  });
}
