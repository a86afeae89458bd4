import { recoverShared } from '../../core/confirmations/recover-journal.ts';
import { callsWithoutTurn } from '../../core/direct/asked-call.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { JournalRow, SharedJournal } from '../../core/ports/confirmation-journal.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { RecoveryStep } from './recovery.ts';

/** How far each run looks back, in milliseconds: longer than the time between two runs and the difference of two clocks together. */
const lookBackMs = 60_000;

export interface SharedJournalRecoveryOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Gets the calls without a turn that were running on a replica when it died. */
  readonly interrupted: (rows: readonly JournalRow[]) => void;
}

/**
 * Closes the rows of the journal that dead replicas have left behind. The next call of the same kind may come to any replica, so each of them
 * learns of the calls that were running, whichever replica has closed their rows (contract/mcp-server.md#confirmations).
 */
export class SharedJournalRecovery implements RecoveryStep {
  readonly name = 'confirmations';
  readonly #journal: SharedJournal;
  readonly #options: SharedJournalRecoveryOptions;
  /** The calls of the last look. A call that is seen twice is told once. */
  #known: ReadonlySet<string> = new Set();

  constructor(journal: SharedJournal, options: SharedJournalRecoveryOptions) {
    this.#journal = journal;
    this.#options = options;
  }

  async run(): Promise<void> {
    const { clock, log, interrupted } = this.#options;
    const now = clock.now();
    await recoverShared(this.#journal, log, now);
    const rows = callsWithoutTurn(await this.#journal.interrupted(now - lookBackMs));
    const isNew = ({ actionId }: JournalRow): boolean => !this.#known.has(actionId);
    interrupted(rows.filter(isNew));
    this.#known = new Set(rows.map(({ actionId }) => actionId));
  }
}
