import type { Expression, ExpressionBuilder, SqlBool, Updateable } from 'kysely';
import type { JournalRow, SharedJournal } from '../../../core/ports/confirmation-journal.ts';
import { journalRefusal, unfinishedStates } from '../journal-steps.ts';
import { fromRow } from './confirmation-rows.ts';
import type { Holder } from './holder.ts';
import { readRows, type SqlDatabase, statement } from './sql-database.ts';
import type { ConfirmationTable, Tables } from './tables.ts';

/** The rows of the journal that dead replicas have left behind. */
export class SqlSharedJournal implements SharedJournal {
  readonly #database: SqlDatabase;
  readonly #holder: Holder;

  /** The caller owns and closes `database`. */
  constructor(database: SqlDatabase, holder: Holder) {
    this.#database = database;
    this.#holder = holder;
  }

  async leftBehind(): Promise<readonly JournalRow[]> {
    const left = this.#database.queries
      .selectFrom('confirmation')
      .selectAll()
      .where('state', 'in', unfinishedStates)
      .where((row) => this.#isLeft(row))
      .orderBy('requested_at')
      .orderBy('action_id');
    return (await readRows(this.#database, left)).map(fromRow);
  }

  async abandon({ actionId, state }: Pick<JournalRow, 'actionId' | 'state'>, at: number): Promise<boolean> {
    if (state === 'done') return false;
    const end = this.#database.queries
      .updateTable('confirmation')
      .set(endOf(state, at))
      .where('action_id', '=', actionId)
      .where('state', '=', state)
      // Asked again here: a replica that was frozen may have woken, and its rows are its own again.
      .where((row) => this.#isLeft(row));
    const rules = { refusal: journalRefusal(actionId, 'done'), order: `confirmation ${actionId}` };
    const [ended] = await this.#database.change([statement(end)], rules);
    return ended?.changes === 1;
  }

  async interrupted(since: number): Promise<readonly JournalRow[]> {
    const unknown = this.#database.queries
      .selectFrom('confirmation')
      .selectAll()
      .where('state', '=', 'done')
      .where('done_at', '>=', since)
      .where('outcome', '=', 'unknown')
      .where((row) => this.#holder.isFree(row.ref('confirmation.replica')))
      .orderBy('requested_at')
      .orderBy('action_id');
    return (await readRows(this.#database, unknown)).map(fromRow);
  }

  /** Whoever takes up a kept turn goes on with its rows. */
  #isLeft(row: ExpressionBuilder<Tables, 'confirmation'>): Expression<SqlBool> {
    const turn = row.selectFrom('turn').select('turn.turn_id').whereRef('turn.turn_id', '=', 'confirmation.turn_id');
    return row.and([row.not(row.exists(turn)), this.#holder.isFree(row.ref('confirmation.replica'))]);
  }
}

function endOf(state: 'requested' | 'answered' | 'executing', at: number): Updateable<ConfirmationTable> {
  const done = { state: 'done', done_at: at, call: null } as const;
  switch (state) {
    case 'requested':
      return { ...done, outcome: 'cancelled', answer: 'cancelled', answered_by: 'system', answered_at: at };
    case 'answered':
      return { ...done, outcome: 'cancelled' };
    case 'executing':
      return { ...done, outcome: 'unknown' };
  }
}
