import { erasedKey } from '../../../core/identity/user-key.ts';
import type {
  ConfirmationJournal,
  JournalAnswer,
  JournalEntry,
  JournalRow,
  JournalState,
} from '../../../core/ports/confirmation-journal.ts';
import type { TurnHold } from '../../../core/ports/turn-store.ts';
import {
  decides,
  hasRunSince,
  isShortLived,
  isUnapproved,
  journalConflict,
  mostRan,
  statusOfAnswer,
  unfinishedStates,
} from '../journal-steps.ts';
import { turnConflict } from '../turn-steps.ts';
import { InMemoryTurnStore } from './in-memory-turn-store.ts';

interface Step {
  readonly from: readonly JournalState[];
  readonly to: Partial<Omit<JournalRow, keyof JournalEntry>> & { readonly state: JournalState };
}

const untouched = {
  answer: null,
  answeredBy: null,
  answeredWho: null,
  editedArguments: null,
  outcome: null,
  call: null,
  retries: 0,
  answeredAt: null,
  executingAt: null,
  doneAt: null,
};

/**
 * The confirmation journal for `storage.type: memory` (contract/restarts.md). It obeys the same rules as the stored one. Its rows end
 * with the process.
 */
export class InMemoryConfirmationJournal implements ConfirmationJournal {
  readonly #rows = new Map<string, JournalRow>();
  /** For each call, the row that was approved or declined. */
  readonly #deciding = new Map<string, string>();
  readonly #turns: InMemoryTurnStore;

  /** `turns` knows the turns that may create rows. */
  constructor(turns = new InMemoryTurnStore()) {
    this.#turns = turns;
  }

  requested(entry: JournalEntry, under?: TurnHold): Promise<void> {
    if (under !== undefined && !this.#turns.holds(under)) return Promise.reject(turnConflict(under.turnId));
    if (this.#rows.has(entry.actionId)) return Promise.reject(journalConflict(entry.actionId, 'requested'));
    this.#rows.set(entry.actionId, { ...entry, path: entry.path ?? '', state: 'requested', ...untouched });
    return Promise.resolve();
  }

  withdrawn(entry: JournalEntry, at: number): Promise<void> {
    const row = this.#rows.get(entry.actionId) ?? {
      ...entry,
      path: entry.path ?? '',
      ...untouched,
      state: 'requested',
    };
    const end = {
      answer: 'cancelled',
      answeredBy: 'system',
      answeredAt: at,
      outcome: 'cancelled',
      doneAt: at,
    } as const;
    if (row.state === 'requested') this.#rows.set(entry.actionId, { ...row, ...end, state: 'done' });
    return Promise.resolve();
  }

  answered(actionId: string, { answer, by, who, edited, executing }: JournalAnswer, at: number): Promise<void> {
    const row = this.#rows.get(actionId);
    if (row?.state === 'requested' && decides(answer)) {
      if (this.#deciding.has(row.callId)) return Promise.reject(journalConflict(actionId, 'answered'));
      this.#deciding.set(row.callId, actionId);
    }
    const outcome = statusOfAnswer(answer);
    const given = {
      answer,
      answeredBy: by,
      // What was erased stays erased, whatever is stored at that moment.
      answeredWho: who !== undefined && row?.owner?.startsWith(erasedKey) === true ? row.owner : (who ?? null),
      answeredAt: at,
      editedArguments: edited?.arguments ?? null,
    };
    const from = ['requested'] as const;
    if (outcome !== null) return this.#move(actionId, { from, to: { ...given, state: 'done', outcome, doneAt: at } });
    if (executing === undefined) return this.#move(actionId, { from, to: { ...given, state: 'answered' } });
    const begun = { state: 'executing', executingAt: at, call: executing.call ?? null } as const;
    return this.#move(actionId, { from, to: { ...given, ...begun } });
  }

  executing(actionId: string, at: number, call?: string): Promise<void> {
    const to = { state: 'executing', executingAt: at, call: call ?? null } as const;
    return this.#move(actionId, { from: ['answered'], to });
  }

  retried(actionId: string): Promise<void> {
    const retries = (this.#rows.get(actionId)?.retries ?? 0) + 1;
    return this.#move(actionId, { from: ['executing'], to: { state: 'executing', retries } });
  }

  done(...[actionId, outcome, at, from = unfinishedStates]: Parameters<ConfirmationJournal['done']>): Promise<void> {
    return this.#move(actionId, { from, to: { state: 'done', outcome, doneAt: at, call: null } });
  }

  find(actionId: string): Promise<JournalRow | undefined> {
    return Promise.resolve(this.#rows.get(actionId));
  }

  ofCall(callId: string): Promise<readonly JournalRow[]> {
    return this.#inOrder((row) => row.callId === callId);
  }

  ofTurn(turnId: string): Promise<readonly JournalRow[]> {
    return this.#inOrder((row) => row.turnId === turnId);
  }

  unfinished(): Promise<readonly JournalRow[]> {
    return this.#inOrder((row) => row.state !== 'done');
  }

  async ranSince(...[call, since]: Parameters<ConfirmationJournal['ranSince']>): Promise<readonly JournalRow[]> {
    const rows = await this.#inOrder(
      (row) =>
        row.owner === call.owner &&
        row.action === call.action &&
        (row.editedArguments ?? row.arguments) === call.arguments &&
        (row.state === 'executing' || hasRunSince(row, since)),
    );
    return rows.toReversed().slice(0, mostRan);
  }

  async waiting(): Promise<{ readonly count: number; readonly oldestAt: number | null }> {
    const rows = await this.#inOrder((row) => row.state === 'requested');
    return { count: rows.length, oldestAt: rows[0]?.requestedAt ?? null };
  }

  rename(userKey: string, pseudonym: string): Promise<number> {
    const renamed = [...this.#rows.values()].filter(
      ({ owner, answeredWho }) => owner === userKey || answeredWho === userKey,
    );
    for (const row of renamed) {
      const owner = row.owner === userKey ? pseudonym : row.owner;
      const answeredWho = row.answeredWho === userKey ? pseudonym : row.answeredWho;
      this.#rows.set(row.actionId, { ...row, owner, answeredWho });
    }
    return Promise.resolve(renamed.length);
  }

  async dropUnapproved(owner: string, keep: number): Promise<number> {
    const rows = await this.#inOrder((row) => row.owner === owner && isUnapproved(row));
    return this.#delete(rows.slice(0, Math.max(0, rows.length - keep)));
  }

  async purge(before: number, withdrawn = before): Promise<number> {
    const isOld = (row: JournalRow): boolean =>
      row.doneAt !== null && (row.doneAt < before || (row.doneAt < withdrawn && isShortLived(row)));
    return this.#delete(await this.#inOrder(isOld));
  }

  #delete(rows: readonly JournalRow[]): number {
    for (const { actionId, callId } of rows) {
      this.#rows.delete(actionId);
      if (this.#deciding.get(callId) === actionId) this.#deciding.delete(callId);
    }
    return rows.length;
  }

  close(): Promise<void> {
    this.#rows.clear();
    return Promise.resolve();
  }

  #inOrder(belongs: (row: JournalRow) => boolean): Promise<readonly JournalRow[]> {
    const rows = [...this.#rows.values()].filter(belongs);
    return Promise.resolve(
      rows.sort((one, other) => one.requestedAt - other.requestedAt || (one.actionId < other.actionId ? -1 : 1)),
    );
  }

  #move(actionId: string, { from, to }: Step): Promise<void> {
    const row = this.#rows.get(actionId);
    if (row === undefined || !from.includes(row.state)) return Promise.reject(journalConflict(actionId, to.state));
    this.#rows.set(actionId, { ...row, ...to });
    return Promise.resolve();
  }
}
