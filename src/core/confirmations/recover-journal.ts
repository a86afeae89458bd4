import type { ConfirmationJournal, JournalRow } from '../ports/confirmation-journal.ts';
import type { Logger } from '../ports/logger.ts';
import type { Metrics } from '../ports/metrics.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Closes rows whose turn is not kept, so that nobody goes on with them (contract/confirmations.md#the-journal): a question nobody can answer any more is
 * cancelled; a call that was running ends as `unknown`, never run again, and the log says so. Then old rows are deleted.
 * Resolves with how many.
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

/** Closes a row that nothing goes on with. */
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

export interface PurgeOptions {
  readonly now: () => number;
  readonly retentionMs: number;
  readonly metrics: Pick<Metrics, 'purged'>;
}

/**
 * Deletes old rows once a day, so that the journal of a server that is never restarted stays bounded (contract/operations.md#retention).
 * Returns its end.
 */
export function purgeDaily(
  journal: ConfirmationJournal,
  log: Logger,
  { now, retentionMs, metrics }: PurgeOptions,
): () => void {
  const timer = setInterval(() => {
    journal.purge(now() - retentionMs).then(
      (rows) => metrics.purged('journal', rows),
      (error: unknown) => {
        log.warn({ error }, 'old confirmations could not be deleted; the next attempt is tomorrow');
      },
    );
  }, dayMs).unref();
  return () => {
    clearInterval(timer);
  };
}
