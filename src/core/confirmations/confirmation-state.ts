import { HelperError } from '../errors/helper-error.ts';
import type { ActionStatus, ConfirmationOutcome } from '../events/turn-event.ts';
import { requireKeyOwner } from '../identity/owner-check.ts';
import type { Principal } from '../identity/principal.ts';
import type { ConfirmationJournal, JournalRow } from '../ports/confirmation-journal.ts';

/** How a confirmation stands (contract/confirmations.md#how-a-question-stands, `GET /helper/approve`). */
export interface ConfirmationState {
  readonly actionId: string;
  readonly outcome: 'open' | ConfirmationOutcome;
  /** Present once the action has ended; `at` is RFC 3339. */
  readonly action?: { readonly status: ActionStatus; readonly at: string };
}

/**
 * What the journal knows of a confirmation; undefined for an unknown id.
 * @throws HelperError `unauthenticated` or `not_owner` when it is not the caller's, `storage_unavailable`.
 */
export async function confirmationState(
  journal: ConfirmationJournal,
  actionId: string,
  caller: Principal,
): Promise<ConfirmationState | undefined> {
  const row = await journal.find(actionId).catch((error: unknown) => {
    throw new HelperError('storage_unavailable', 'The confirmations cannot be read now. Try again in a moment.', {
      cause: error,
    });
  });
  if (row === undefined) return undefined;
  if (row.owner !== null) requireKeyOwner(row.owner, caller);
  return stateOf(row);
}

function stateOf({ actionId, answer, state, outcome, doneAt }: JournalRow): ConfirmationState {
  // A row without an answer that is closed was cancelled; one that is not closed is still open.
  const decided = answer ?? (state === 'done' ? 'cancelled' : 'open');
  if (decided !== 'approved' || state !== 'done' || outcome === null || doneAt === null) {
    return { actionId, outcome: decided };
  }
  return { actionId, outcome: decided, action: { status: outcome, at: new Date(doneAt).toISOString() } };
}
