import type { ConfirmationJournal } from '../../core/ports/confirmation-journal.ts';
import type { SuspendedTurnStore } from '../../core/ports/suspended-turn-store.ts';

/** What the server keeps. Closing the journal closes the database behind both. */
export interface Stores {
  readonly journal: ConfirmationJournal;
  readonly suspendedTurns: SuspendedTurnStore;
}
