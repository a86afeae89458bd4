import type { ConfirmationJournal, JournalRow } from '../ports/confirmation-journal.ts';
import type { Logger } from '../ports/logger.ts';
import { interruptedCall } from '../tools/kept-call.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** How long journal rows are kept: as long as a snapshot that could carry them (wire.md 5), and 30 days at least. */
export function journalRetentionMs(snapshotMaxAgeMs: number): number {
  return Math.max(snapshotMaxAgeMs, 30 * dayMs);
}

/**
 * Closes what a crash left behind (wire.md 5). A question nobody can answer any more is cancelled; a call that was
 * running ends as `unknown`, never run again, and the log says so; one that may be made again is returned instead, unless
 * it is as old as rows get. Then old rows are deleted.
 * `kept` names the questions of turns that were suspended: those go on.
 */
export async function recoverJournal(
  journal: ConfirmationJournal,
  log: Logger,
  {
    now,
    retentionMs,
    kept,
  }: { readonly now: number; readonly retentionMs: number; readonly kept: ReadonlySet<string> },
): Promise<readonly JournalRow[]> {
  const interrupted: JournalRow[] = [];
  for (const row of await journal.unfinished()) {
    if (kept.has(row.actionId)) continue;
    if (interruptedCall(row) !== undefined && row.requestedAt >= now - retentionMs) interrupted.push(row);
    else await closeRow(row, 'cancelled', { journal, log, now });
  }
  await journal.purge(now - retentionMs);
  return interrupted;
}

/** Ends a row that nothing goes on with; `unanswered` is what a question ends as that still waited. */
export async function closeRow(
  { actionId, callId, action, turnId, state }: JournalRow,
  unanswered: 'cancelled' | 'expired',
  { journal, log, now }: { readonly journal: ConfirmationJournal; readonly log: Logger; readonly now: number },
): Promise<void> {
  if (state === 'executing') {
    log.warn({ actionId, callId, action, turnId }, 'an action was interrupted: check whether it took effect');
    await journal.done(actionId, 'unknown', now);
  } else if (state === 'requested') {
    await journal.answered(actionId, { answer: unanswered, by: 'system' }, now);
  } else {
    await journal.done(actionId, 'cancelled', now);
  }
}

/** Deletes old rows once a day, so that the journal of a server that is never restarted stays bounded. Returns its end. */
export function purgeDaily(
  journal: ConfirmationJournal,
  log: Logger,
  { now, retentionMs }: { readonly now: () => number; readonly retentionMs: number },
): () => void {
  const timer = setInterval(() => {
    journal.purge(now() - retentionMs).catch((error: unknown) => {
      log.warn({ error }, 'old confirmations could not be deleted; the next attempt is tomorrow');
    });
  }, dayMs).unref();
  return () => {
    clearInterval(timer);
  };
}
