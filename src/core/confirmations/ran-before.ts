import { canonicalJson } from '../base/canonical-json.ts';
import type { ActionStatus } from '../events/turn-event.ts';
import type { ConfirmationJournal, JournalRow } from '../ports/confirmation-journal.ts';
import type { RepeatedCall } from './confirmation-request.ts';

/** The most milliseconds that a question without a turn stands open, and that what ran is remembered. */
export const longestHeldMs = 24 * 60 * 60 * 1000;

/** For how many milliseconds it is remembered that a call ran: `confirmationTimeout`, and no longer than a day. */
export function heldMs(confirmationTimeoutMs: number): number {
  return confirmationTimeoutMs > 0 ? Math.min(confirmationTimeoutMs, longestHeldMs) : longestHeldMs;
}

/** A call of a user, as the journal is asked for it. */
interface AskedFor {
  readonly owner: string;
  readonly action: string;
  readonly argumentsValue: Readonly<Record<string, unknown>>;
}

/** The rows of the same call of this user that run or have run lately, in whatever process. The newest is the first. */
export function ranLately(
  { owner, action, argumentsValue }: AskedFor,
  {
    journal,
    clock,
    confirmationTimeoutMs,
  }: {
    readonly journal: Pick<ConfirmationJournal, 'ranSince'>;
    readonly clock: { now(): number };
    readonly confirmationTimeoutMs: number;
  },
): Promise<readonly JournalRow[]> {
  const since = clock.now() - heldMs(confirmationTimeoutMs);
  return journal.ranSince({ owner, action, arguments: canonicalJson(argumentsValue) }, since);
}

/** How far the newest of these rows has come, as a question tells it. */
export function repeatedIn(rows: readonly JournalRow[]): RepeatedCall | undefined {
  const [row] = rows;
  const state = row && stateOfRow(row);
  return state && { state, at: row.doneAt ?? row.executingAt ?? row.requestedAt };
}

/** How far the call of a row has come. Undefined for one that did not run. */
export function stateOfRow({ state, outcome }: JournalRow): RepeatedCall['state'] | undefined {
  return state === 'done' ? stateOf(outcome ?? 'cancelled') : 'open';
}

/** The same for the outcome of a call. */
export function stateOf(status: ActionStatus): RepeatedCall['state'] | undefined {
  if (status === 'succeeded') return 'done';
  return status === 'failed' || status === 'unknown' ? 'tried' : undefined;
}
