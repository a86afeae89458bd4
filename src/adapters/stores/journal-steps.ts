import { anonymousKey } from '../../core/identity/user-key.ts';
import type { JournalRow, JournalState } from '../../core/ports/confirmation-journal.ts';
import { StepRefused } from '../../core/ports/step-refused.ts';
import type { ActionStatus, ConfirmationOutcome } from '../../core/events/turn-event.ts';

/**
 * The status an answer ends its call with; null for `approved`, after which the call goes on. An expired confirmation
 * counts as cancelled (contract/events.md#order).
 */
export function statusOfAnswer(answer: ConfirmationOutcome): ActionStatus | null {
  switch (answer) {
    case 'approved':
      return null;
    case 'declined':
      return 'declined';
    case 'expired':
    case 'cancelled':
      return 'cancelled';
  }
}

/** Whether an answer decides its call. Once one row of the call has such an answer, no other row may get one (wire-5-44). */
export function decides(answer: ConfirmationOutcome | null): boolean {
  return answer === 'approved' || answer === 'declined';
}

/** The states of a row whose call is not over. */
export const unfinishedStates: readonly JournalState[] = ['requested', 'answered', 'executing'];

/** The outcomes of a call that has run, and may have taken effect. */
export const ranOutcomes: readonly ActionStatus[] = ['succeeded', 'failed', 'unknown'];

/** The most rows of one call that are looked for. */
export const mostRan = 10;

/** Whether a row is that of a call that ran and ended at `since` or later. */
export function hasRunSince({ state, outcome, doneAt }: JournalRow, since: number): boolean {
  return state === 'done' && outcome !== null && ranOutcomes.includes(outcome) && (doneAt ?? 0) >= since;
}

/** Whether a row is that of a call without a turn that ended without an approval. */
export function isUnapproved({ path, state, answer }: JournalRow): boolean {
  return path === pathOfCalls && state === 'done' && answer !== 'approved';
}

/**
 * Whether a row of a question that was withdrawn or has expired is kept for a short time alone: strangers make as many as they like, by asking
 * and leaving.
 */
export function isShortLived({ path, owner, state, answer }: JournalRow): boolean {
  const isOfStranger = path === pathOfCalls || owner === null || owner.startsWith(anonymousKey);
  return isOfStranger && state === 'done' && (answer === 'cancelled' || answer === 'expired');
}

/** The path of the rows of calls without a turn. */
export const pathOfCalls = 'mcp';

/** The fault of a journal whose row is not in the state from which the step begins. */
export function journalConflict(actionId: string, to: JournalState): StepRefused {
  return new StepRefused(journalRefusal(actionId, to));
}

/** The message of this fault. */
export function journalRefusal(actionId: string, to: JournalState): string {
  return `confirmation ${actionId} cannot become "${to}": it is unknown, or that step was already taken`;
}
