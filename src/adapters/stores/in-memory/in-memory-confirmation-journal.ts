import type {
  ConfirmationJournal,
  JournalAnswer,
  JournalEntry,
  JournalRow,
  JournalState,
} from '../../../core/ports/confirmation-journal.ts';
import type { ActionStatus } from '../../../core/turn/turn-event.ts';
import { decides, journalConflict, statusOfAnswer } from '../journal-steps.ts';

interface KeptRow {
  readonly row: JournalRow;
  readonly doneAt: number | null;
}

interface Step {
  readonly from: readonly JournalState[];
  readonly to: Partial<
    Pick<JournalRow, 'answer' | 'answeredBy' | 'editedArguments' | 'outcome' | 'call' | 'retries'>
  > & {
    readonly state: JournalState;
  };
  readonly at: number;
}

const untouched = { answer: null, answeredBy: null, editedArguments: null, outcome: null, call: null, retries: 0 };

/** The confirmation journal for `storage.type: memory` (configuration.md 5): same rules, and nothing outlives the process. */
export class InMemoryConfirmationJournal implements ConfirmationJournal {
  readonly #rows = new Map<string, KeptRow>();
  /** By call, the row that was approved or declined. */
  readonly #deciding = new Map<string, string>();

  requested(entry: JournalEntry): Promise<void> {
    if (this.#rows.has(entry.actionId)) return Promise.reject(journalConflict(entry.actionId, 'requested'));
    this.#rows.set(entry.actionId, {
      row: { ...entry, state: 'requested', ...untouched },
      doneAt: null,
    });
    return Promise.resolve();
  }

  answered(actionId: string, { answer, by, edited }: JournalAnswer, at: number): Promise<void> {
    const row = this.#rows.get(actionId)?.row;
    if (row?.state === 'requested' && decides(answer)) {
      if (this.#deciding.has(row.callId)) return Promise.reject(journalConflict(actionId, 'answered'));
      this.#deciding.set(row.callId, actionId);
    }
    const outcome = statusOfAnswer(answer);
    const state = outcome === null ? 'answered' : 'done';
    const to = { state, answer, answeredBy: by, editedArguments: edited?.arguments ?? null, outcome } as const;
    return this.#move(actionId, { from: ['requested'], to, at });
  }

  executing(actionId: string, at: number, call?: string): Promise<void> {
    return this.#move(actionId, { from: ['answered'], to: { state: 'executing', call: call ?? null }, at });
  }

  retried(actionId: string): Promise<void> {
    const retries = (this.#rows.get(actionId)?.row.retries ?? 0) + 1;
    return this.#move(actionId, { from: ['executing'], to: { state: 'executing', retries }, at: 0 });
  }

  done(actionId: string, outcome: ActionStatus, at: number): Promise<void> {
    return this.#move(actionId, {
      from: ['requested', 'answered', 'executing'],
      to: { state: 'done', outcome, call: null },
      at,
    });
  }

  find(actionId: string): Promise<JournalRow | undefined> {
    return Promise.resolve(this.#rows.get(actionId)?.row);
  }

  decided(callId: string): Promise<JournalRow | undefined> {
    return this.find(this.#deciding.get(callId) ?? '');
  }

  unfinished(): Promise<readonly JournalRow[]> {
    const open = [...this.#rows.values()].filter((kept) => kept.row.state !== 'done').map((kept) => kept.row);
    return Promise.resolve(open.sort((one, other) => one.requestedAt - other.requestedAt));
  }

  purge(before: number): Promise<void> {
    for (const [actionId, kept] of this.#rows) {
      if (kept.doneAt === null || kept.doneAt >= before) continue;
      this.#rows.delete(actionId);
      if (this.#deciding.get(kept.row.callId) === actionId) this.#deciding.delete(kept.row.callId);
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#rows.clear();
    return Promise.resolve();
  }

  #move(actionId: string, { from, to, at }: Step): Promise<void> {
    const kept = this.#rows.get(actionId);
    if (kept === undefined || !from.includes(kept.row.state)) {
      return Promise.reject(journalConflict(actionId, to.state));
    }
    this.#rows.set(actionId, { row: { ...kept.row, ...to }, doneAt: to.state === 'done' ? at : null });
    return Promise.resolve();
  }
}
