import type { ConfirmationJournal, JournalRow } from '../ports/confirmation-journal.ts';
import type { Logger } from '../ports/logger.ts';

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
  return journal.purge(now - retentionMs);
}

/** Closes a row that no process goes on with. */
export async function abandonRow(
  { actionId, callId, action, turnId, state }: JournalRow,
  { journal, log, now }: { readonly journal: ConfirmationJournal; readonly log: Logger; readonly now: number },
): Promise<void> {
  if (state === 'requested') {
    await journal.answered(actionId, { answer: 'cancelled', by: 'system' }, now);
    return;
  }
  if (state === 'executing') {
    log.warn({ actionId, callId, action, turnId }, 'an action was interrupted: check whether it took effect');
  }
  await journal.done(actionId, state === 'executing' ? 'unknown' : 'cancelled', now);
}
