import type { ConfirmationJournal, JournalRow, SharedJournal } from '../ports/confirmation-journal.ts';
import type { Logger } from '../ports/logger.ts';
import { longestHeldMs } from './ran-before.ts';

/**
 * Closes rows whose turn is not kept, because no process goes on with them (contract/confirmations.md#the-journal). A question that
 * nobody can answer any more is cancelled. A call that was running ends as `unknown` and is never run again, and the log says so. Then
 * old rows are deleted. Resolves with the number of deleted rows.
 */
export async function recoverJournal(
  journal: ConfirmationJournal,
  log: Logger,
  {
    now,
    retentionMs,
    kept,
  }: { readonly now: number; readonly retentionMs: number; readonly kept: ReadonlySet<string> },
): Promise<number> {
  for (const row of await journal.unfinished()) {
    if (!kept.has(row.turnId)) await abandonRow(row, { journal, log, now });
  }
  return journal.purge(now - retentionMs, now - longestHeldMs);
}

/**
 * Closes rows that dead replicas have left behind, as `recoverJournal` does (contract/replicas.md#left-behind). Resolves with the rows that were
 * closed here and not by another replica, as they were before.
 */
export async function recoverShared(journal: SharedJournal, log: Logger, now: number): Promise<readonly JournalRow[]> {
  const closed: JournalRow[] = [];
  for (const row of await journal.leftBehind()) {
    if (!(await journal.abandon(row, now))) continue;
    if (row.state === 'executing') warnOfInterrupted(row, log);
    closed.push(row);
  }
  return closed;
}

/** Closes a row that no process goes on with. */
export async function abandonRow(
  row: JournalRow,
  { journal, log, now }: { readonly journal: ConfirmationJournal; readonly log: Logger; readonly now: number },
): Promise<void> {
  const { actionId, state } = row;
  if (state === 'requested') {
    await journal.answered(actionId, { answer: 'cancelled', by: 'system' }, now);
    return;
  }
  if (state === 'executing') warnOfInterrupted(row, log);
  await journal.done(actionId, state === 'executing' ? 'unknown' : 'cancelled', now);
}

function warnOfInterrupted({ actionId, callId, action, turnId }: JournalRow, log: Logger): void {
  log.warn({ actionId, callId, action, turnId }, 'an action was interrupted: check whether it took effect');
}
