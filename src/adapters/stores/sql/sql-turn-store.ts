import type { Compilable, Expression, Selectable, SqlBool } from 'kysely';
import type { TurnDelivery } from '../../../core/ports/delivery-store.ts';
import { StepRefused } from '../../../core/ports/step-refused.ts';
import type {
  HeadersAsked,
  KeptTurn,
  NewTurn,
  SharedTurns,
  TurnHold,
  TurnLines,
  TurnStore,
} from '../../../core/ports/turn-store.ts';
import type { Holder } from './holder.ts';
import { readRows, rowsOf, type SqlDatabase, type Statement, statement, type StatementResult } from './sql-database.ts';
import { changesOf, SqlSharedTurns } from './sql-shared-turns.ts';
import type { TurnLineTable, TurnTable } from './tables.ts';

/** How many turns one change deletes. The limit keeps other changes from waiting long. */
const forgottenAtOnce = 50;

/**
 * The records of turns in a relational database. `turn.lines` counts the stored lines of a record. Every change of a record is one
 * compare-and-set UPDATE on its epoch and that count, so that of two processes at most one continues the record.
 */
export class SqlTurnStore implements TurnStore {
  readonly shared?: SharedTurns;
  readonly #database: SqlDatabase;
  readonly #holder: Holder | undefined;

  /** The caller owns and closes `database`. `holder`: this server, where others use the database at the same time. */
  constructor(database: SqlDatabase, holder?: Holder) {
    this.#database = database;
    this.#holder = holder;
    if (holder !== undefined) this.shared = new SqlSharedTurns(database, holder);
  }

  async create({ turnId, header, owner, lines }: NewTurn, at: number): Promise<void> {
    const row = { turn_id: turnId, epoch: 1, header, lines: 0, saved_at: at, forget_at: null, owner: owner ?? null };
    const birth = this.#database.queries
      .insertInto('turn')
      .values({ ...row, ...this.#held() })
      // Creating the same turn again with the same values is no fault, and leaves the row as it is.
      .onConflict((conflict) =>
        conflict
          .column('turn_id')
          .doUpdateSet({ header })
          .where('turn.epoch', '=', 1)
          .where('turn.header', '=', header),
      );
    const hold = { turnId, epoch: 1 };
    await this.#database.change([statement(birth, 1), ...this.#added(hold, lines)], changesOf(turnId));
  }

  async append(...[hold, lines, how]: Parameters<TurnStore['append']>): Promise<void> {
    await this.#database.change(this.#added(hold, lines), { ...changesOf(hold.turnId), ...how });
  }

  async end(...[hold, lines, { forgetAt, delivery }]: Parameters<TurnStore['end']>): Promise<void> {
    const over = this.#database.queries
      .updateTable('turn')
      .set({ forget_at: forgetAt })
      .where('turn_id', '=', hold.turnId)
      .where('epoch', '=', hold.epoch);
    const told = delivery === undefined ? [] : [this.#delivery(hold.turnId, delivery)];
    await this.#database.change([...this.#added(hold, lines), statement(over, 1), ...told], changesOf(hold.turnId));
  }

  async ids(): Promise<readonly string[]> {
    const oldestFirst = this.#database.queries
      .selectFrom('turn')
      .select('turn_id')
      .orderBy('saved_at')
      .orderBy('turn_id');
    return (await readRows(this.#database, oldestFirst)).map((row) => row.turn_id);
  }

  async read(turnId: string): Promise<KeptTurn | undefined> {
    const queries = this.#whole(turnId);
    return kept(queries, await this.#database.read(queries.map((query) => statement(query))));
  }

  async headers({ owner, after, limit }: HeadersAsked): Promise<readonly Pick<KeptTurn, 'turnId' | 'header'>[]> {
    const page = this.#database.queries
      .selectFrom('turn')
      .select(['turn_id', 'header'])
      .where('owner', owner === null ? 'is' : '=', owner)
      .where('turn_id', '>', after)
      .orderBy('turn_id')
      .limit(limit);
    return (await readRows(this.#database, page)).map(({ turn_id: turnId, header }) => ({ turnId, header }));
  }

  async claim(turnId: string): Promise<KeptTurn | undefined> {
    const holder = this.#holder;
    const raise = this.#database.queries
      .updateTable('turn')
      .set((row) => ({ epoch: row('epoch', '+', 1), ...this.#held() }))
      .where('turn_id', '=', turnId)
      .$if(holder !== undefined, (query) =>
        query.where('forget_at', 'is', null).where((row) => holder?.isFree(row.ref('turn.replica')) ?? row.lit(true)),
      );
    const queries = this.#whole(turnId);
    const claimed = statement(raise, holder && 1);
    try {
      const [, ...found] = await this.#database.change(
        [claimed, ...queries.map((each) => statement(each))],
        changesOf(turnId),
      );
      return kept(queries, found);
    } catch (error) {
      if (error instanceof StepRefused) return undefined;
      throw error;
    }
  }

  async delete(turnIds: readonly string[]): Promise<void> {
    for (let first = 0; first < turnIds.length; first += forgottenAtOnce) {
      await this.#delete(turnIds.slice(first, first + forgottenAtOnce));
    }
  }

  async forget(now: number, savedBefore: number): Promise<void> {
    const { queries } = this.#database;
    const due = queries
      .selectFrom('turn')
      .select('turn_id')
      .where((row) => row.or([row('forget_at', '<=', now), row('saved_at', '<', savedBefore)]))
      .limit(forgottenAtOnce);
    for (;;) {
      const turns = (await readRows(this.#database, due)).map((row) => row.turn_id);
      if (turns.length === 0) return;
      await this.#delete(turns);
    }
  }

  #held(): { readonly replica?: string } {
    return this.#holder === undefined ? {} : { replica: this.#holder.replica };
  }

  async #delete(turns: readonly string[]): Promise<void> {
    const { queries } = this.#database;
    await this.#database.change(
      [
        // The row of the turn goes first. A change of the turn that is under way is waited for, and its lines are found then.
        statement(queries.deleteFrom('turn').where('turn_id', 'in', turns)),
        statement(queries.deleteFrom('turn_line').where('turn_id', 'in', turns)),
      ],
      { refusal: 'turns cannot be forgotten', order: 'turns' },
    );
  }

  /** Adds `lines` if they follow the stored lines. Lines that are stored already change nothing. */
  #added({ turnId, epoch }: Pick<TurnHold, 'turnId' | 'epoch'>, { first, count, text }: TurnLines): Statement[] {
    const { queries } = this.#database;
    const next = first + count;
    const move = queries
      .updateTable('turn')
      .set((row) => ({
        lines: row.case().when('lines', '<', next).then(next).else(row.ref('lines')).end(),
      }))
      .where('turn_id', '=', turnId)
      .where('epoch', '=', epoch)
      .where((row) => {
        const stored = row
          .selectFrom('turn_line')
          .select('turn_line.turn_id')
          .whereRef('turn_line.turn_id', '=', 'turn.turn_id')
          .where('first_line', '=', first)
          .where('line_count', '=', count)
          .where('text', '=', text);
        const follows: Expression<SqlBool>[] = [row('lines', '=', first)];
        // A turn that has ended takes no further line.
        if (count > 0) follows.push(row('forget_at', 'is', null));
        return row.or([row.and(follows), row.exists(stored)]);
      });
    const insert = queries
      .insertInto('turn_line')
      .values({ turn_id: turnId, first_line: first, line_count: count, text })
      .onConflict((conflict) => conflict.columns(['turn_id', 'first_line']).doNothing());
    return count === 0 ? [statement(move, 1)] : [statement(move, 1), statement(insert)];
  }

  /** The end of a turn may be stored again. */
  #delivery(turnId: string, { owner, host, dueAt, content }: TurnDelivery): Statement {
    const added = this.#database.queries
      .insertInto('turn_delivery')
      .values({ turn_id: turnId, owner, host, content, due_at: dueAt, attempts: 0 })
      .onConflict((conflict) => conflict.column('turn_id').doNothing());
    return statement(added);
  }

  #whole(turnId: string): WholeTurn {
    const { queries } = this.#database;
    return [
      queries.selectFrom('turn').selectAll().where('turn_id', '=', turnId),
      queries.selectFrom('turn_line').selectAll().where('turn_id', '=', turnId).orderBy('first_line'),
    ];
  }
}

/** The queries that find a turn and its lines. */
type WholeTurn = readonly [Query<TurnTable>, Query<TurnLineTable>];
type Query<Table> = Compilable<Selectable<Table>>;

function kept([turnQuery, linesQuery]: WholeTurn, [found, batches]: readonly StatementResult[]): KeptTurn | undefined {
  const turn = rowsOf(turnQuery, found)[0];
  if (turn === undefined) return undefined;
  const lines = rowsOf(linesQuery, batches);
  return {
    turnId: turn.turn_id,
    epoch: turn.epoch,
    header: turn.header,
    batches: lines.map((row) => ({ first: row.first_line, count: row.line_count, text: row.text })),
    forgetAt: turn.forget_at,
    savedAt: turn.saved_at,
  };
}
