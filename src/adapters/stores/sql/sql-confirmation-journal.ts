import {
  type Compilable,
  type Expression,
  expressionBuilder,
  type ExpressionBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  type Updateable,
} from 'kysely';
import { anonymousKey, erasedKey } from '../../../core/identity/user-key.ts';
import type {
  ConfirmationJournal,
  JournalAnswer,
  JournalEntry,
  JournalRow,
  JournalState,
  SharedJournal,
} from '../../../core/ports/confirmation-journal.ts';
import type { TurnHold } from '../../../core/ports/turn-store.ts';
import {
  journalRefusal,
  mostRan,
  pathOfCalls,
  ranOutcomes,
  statusOfAnswer,
  unfinishedStates,
} from '../journal-steps.ts';
import { fromRow, toRow } from './confirmation-rows.ts';
import type { Holder } from './holder.ts';
import { type ChangeRules, erasing, readRows, type SqlDatabase, statement } from './sql-database.ts';
import { SqlSharedJournal } from './sql-shared-journal.ts';
import type { ConfirmationTable, Tables } from './tables.ts';

/**
 * The confirmation journal in a relational database (contract/confirmations.md#the-journal). Each step is one compare-and-set UPDATE. Of
 * two attempts at the same step, in this process or another, exactly one moves the row. A unique index keeps two rows of one call from
 * being approved or declined.
 */
export class SqlConfirmationJournal implements ConfirmationJournal {
  readonly shared?: SharedJournal;
  readonly #database: SqlDatabase;
  readonly #holder: Holder | undefined;

  /** The journal owns `database`: `close` closes it. `holder`: this server, where others use the database at the same time. */
  constructor(database: SqlDatabase, holder?: Holder) {
    this.#database = database;
    this.#holder = holder;
    if (holder !== undefined) this.shared = new SqlSharedJournal(database, holder);
  }

  async requested(entry: JournalEntry, under?: TurnHold): Promise<void> {
    const { queries } = this.#database;
    const birth = statement(queries.insertInto('confirmation').values(toRow(entry, this.#holder?.replica ?? null)), 1);
    const { refusal, order } = step(entry.actionId, 'requested');
    const rules = { refusal, order: [`turn ${entry.turnId}`, order] };
    if (under === undefined) {
      await this.#database.change([birth], rules);
      return;
    }
    // This UPDATE changes no value. It locks the turn's row, so that no other process raises the epoch before the question's row exists.
    const hold = queries
      .updateTable('turn')
      .set({ epoch: under.epoch })
      .where('turn_id', '=', under.turnId)
      .where('epoch', '=', under.epoch)
      .where('lines', '>=', under.lines);
    await this.#database.change([statement(hold, 1), birth], rules);
  }

  async withdrawn(entry: JournalEntry, at: number): Promise<void> {
    const ended = { answered_at: at, done_at: at, answered_by: 'system', answer: 'cancelled' } as const;
    const over = { ...ended, state: 'done', outcome: statusOfAnswer(ended.answer) } as const;
    // PostgreSQL waits here for a row of this id that is being stored.
    const end = this.#database.queries
      .insertInto('confirmation')
      .values({ ...toRow(entry, this.#holder?.replica ?? null), ...over })
      .onConflict((conflict) =>
        conflict
          .column('action_id')
          .doUpdateSet(over)
          .where('confirmation.state', '=', 'requested')
          // A replica that has taken the turn up may have shown the question by now.
          .where((row) => (this.#holder === undefined ? row.lit(true) : this.#mayGoOn(row))),
      );
    await this.#database.change([statement(end)], step(entry.actionId, 'done'));
  }

  async answered(actionId: string, answer: JournalAnswer, at: number): Promise<void> {
    await this.#goOn(actionId, ['requested'], {
      ...stateAfter(answer, at),
      answer: answer.answer,
      answered_by: answer.by,
      answered_who: answer.who ? unlessErased(answer.who) : null,
      answered_at: at,
      ...(answer.edited !== undefined && {
        edited_arguments: answer.edited.arguments,
        edited_arguments_hash: answer.edited.argumentsHash,
      }),
    });
  }

  async executing(actionId: string, at: number, call?: string): Promise<void> {
    await this.#goOn(actionId, ['answered'], { state: 'executing', executing_at: at, call: call ?? null });
  }

  async retried(actionId: string): Promise<void> {
    const again = this.#database.queries
      .updateTable('confirmation')
      .set((row) => ({ retries: row('retries', '+', 1) }))
      .where('action_id', '=', actionId)
      .where('state', '=', 'executing')
      .$if(this.#holder !== undefined, (query) => query.where((row) => this.#mayGoOn(row)));
    await this.#database.change([statement(again, 1)], step(actionId, 'executing'));
  }

  async done(
    ...[actionId, outcome, at, from = unfinishedStates]: Parameters<ConfirmationJournal['done']>
  ): Promise<void> {
    await this.#goOn(actionId, from, { state: 'done', outcome, done_at: at, call: null });
  }

  async find(actionId: string): Promise<JournalRow | undefined> {
    return (await this.#rows(this.#all().where('action_id', '=', actionId)))[0];
  }

  async ofCall(callId: string): Promise<readonly JournalRow[]> {
    return this.#rows(this.#all().where('call_id', '=', callId));
  }

  async ofTurn(turnId: string): Promise<readonly JournalRow[]> {
    return this.#rows(this.#all().where('turn_id', '=', turnId));
  }

  async unfinished(): Promise<readonly JournalRow[]> {
    return this.#rows(this.#all().where('state', 'in', unfinishedStates));
  }

  async ranSince(...[call, since]: Parameters<ConfirmationJournal['ranSince']>): Promise<readonly JournalRow[]> {
    const rows = this.#database.queries
      .selectFrom('confirmation')
      .selectAll()
      .where('owner', '=', call.owner)
      .where('action', '=', call.action)
      .where(({ fn }) => fn.coalesce('edited_arguments', 'arguments'), '=', call.arguments)
      .where((row) =>
        row.or([
          row('state', '=', 'executing'),
          row.and([row('state', '=', 'done'), row('outcome', 'in', ranOutcomes), row('done_at', '>=', since)]),
        ]),
      )
      .orderBy('requested_at', 'desc')
      .limit(mostRan);
    return this.#rows(rows);
  }

  async waiting(): Promise<{ readonly count: number; readonly oldestAt: number | null }> {
    const open = this.#database.queries
      .selectFrom('confirmation')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        // Without a row the minimum is null. Kysely's type leaves that out.
        fn.min<number | null>('requested_at').as('oldest_at'),
      ])
      .where('state', '=', 'requested');
    const [row] = await readRows(this.#database, open);
    return { count: row?.count ?? 0, oldestAt: row?.oldest_at ?? null };
  }

  async rename(userKey: string, pseudonym: string): Promise<number> {
    const rename = this.#database.queries
      .updateTable('confirmation')
      .set((row) => ({
        owner: row.case().when('owner', '=', userKey).then(pseudonym).else(row.ref('owner')).end(),
        answered_who: row.case().when('answered_who', '=', userKey).then(pseudonym).else(row.ref('answered_who')).end(),
      }))
      .where((row) => row.or([row('owner', '=', userKey), row('answered_who', '=', userKey)]));
    const [result] = await this.#database.change([erasing(rename)], {
      refusal: 'a user cannot be made pseudonymous',
      order: `confirmations of ${userKey}`,
    });
    return result?.changes ?? 0;
  }

  async dropUnapproved(owner: string, keep: number): Promise<number> {
    const kept = this.#unapproved().where('owner', '=', owner).orderBy('requested_at', 'desc').limit(keep);
    const more = this.#unapproved().where('owner', '=', owner).where('action_id', 'not in', kept);
    return this.#delete(more);
  }

  async purge(before: number, withdrawn?: number): Promise<number> {
    const { queries } = this.#database;
    const done = queries.selectFrom('confirmation').select('action_id').where('state', '=', 'done');
    const purged = await this.#delete(done.where('done_at', '<', before));
    if (withdrawn === undefined) return purged;
    const shortLived = done
      .where('answer', 'in', ['cancelled', 'expired'])
      .where((row) =>
        row.or([row('path', '=', pathOfCalls), row('owner', 'is', null), row('owner', 'like', `${anonymousKey}%`)]),
      );
    return purged + (await this.#delete(shortLived.where('done_at', '<', withdrawn)));
  }

  /** The rows of calls without a turn that ended without an approval. */
  #unapproved() {
    return this.#database.queries
      .selectFrom('confirmation')
      .select('action_id')
      .where('path', '=', pathOfCalls)
      .where('state', '=', 'done')
      .where('answer', 'in', ['declined', 'cancelled', 'expired']);
  }

  /** Deletes rows a few at a time. Resolves with how many. */
  async #delete(rows: SelectQueryBuilder<Tables, 'confirmation', { action_id: string }>): Promise<number> {
    const { queries } = this.#database;
    const deletion = statement(queries.deleteFrom('confirmation').where('action_id', 'in', rows.limit(purgedAtOnce)));
    let purged = 0;
    for (let deleted = purgedAtOnce; deleted === purgedAtOnce; purged += deleted) {
      const [result] = await this.#database.change([deletion], {
        refusal: 'old confirmations cannot be deleted',
        order: 'confirmations',
      });
      deleted = result?.changes ?? 0;
    }
    return purged;
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  #all() {
    return this.#database.queries.selectFrom('confirmation').selectAll().orderBy('requested_at').orderBy('action_id');
  }

  async #rows(query: Compilable<Selectable<ConfirmationTable>>): Promise<readonly JournalRow[]> {
    return (await readRows(this.#database, query)).map(fromRow);
  }

  /**
   * Whether no other replica has taken up the turn of a row. A replica that was frozen meanwhile must not begin what is asked again
   * elsewhere, and must not end what has begun again there.
   */
  #mayGoOn(row: ExpressionBuilder<Tables, 'confirmation'>): Expression<SqlBool> {
    const elsewhere = row
      .selectFrom('turn')
      .select('turn.turn_id')
      .whereRef('turn.turn_id', '=', 'confirmation.turn_id')
      .where('turn.replica', '!=', this.#holder?.replica ?? '');
    return row.not(row.exists(elsewhere));
  }

  /** Takes a step that another replica takes by itself once it has taken up the turn. */
  async #goOn(actionId: string, from: readonly JournalState[], change: Step): Promise<void> {
    const move = this.#database.queries
      .updateTable('confirmation')
      .set(change)
      .where('action_id', '=', actionId)
      .where('state', 'in', from)
      .$if(this.#holder !== undefined, (query) => query.where((row) => this.#mayGoOn(row)));
    await this.#database.change([statement(move, 1)], step(actionId, change.state));
  }
}

/** What a step writes: values, and for the answerer also an expression. */
type Step = Omit<Updateable<ConfirmationTable>, 'answered_who'> & {
  readonly state: JournalState;
  readonly answered_who?: Expression<string | null> | null;
};

/** A step of one confirmation. */
function step(actionId: string, to: JournalState): ChangeRules & { readonly order: string } {
  return { refusal: journalRefusal(actionId, to), order: `confirmation ${actionId}` };
}

/**
 * Who has answered a question: the pseudonym of its owner, where the owner's data was erased in the meantime. What was erased stays erased,
 * whatever is stored at that moment.
 */
function unlessErased(who: string): Expression<string | null> {
  const row = expressionBuilder<Tables, 'confirmation'>();
  return row.case().when('owner', 'like', `${erasedKey}%`).then(row.ref('owner')).else(who).end();
}

/** How many rows one change deletes. The limit keeps other changes from waiting long. */
const purgedAtOnce = 500;

function stateAfter(
  { answer, executing }: JournalAnswer,
  at: number,
): Updateable<ConfirmationTable> & { state: JournalState } {
  const outcome = statusOfAnswer(answer);
  if (outcome !== null) return { state: 'done', outcome, done_at: at };
  if (executing === undefined) return { state: 'answered' };
  return { state: 'executing', executing_at: at, call: executing.call ?? null };
}
