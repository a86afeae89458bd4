import type { KeptTurnState, SuspendedTurnStore } from '../../../core/ports/suspended-turn-store.ts';
import { readRows, type SqlDatabase, statement } from './sql-database.ts';

/** Suspended turns in a relational database (wire.md 5). */
export class SqlSuspendedTurnStore implements SuspendedTurnStore {
  readonly #database: SqlDatabase;

  /** `database` stays the caller's. */
  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async save({ turnId, state }: KeptTurnState, at: number): Promise<void> {
    const save = this.#database.queries
      .insertInto('suspended_turn')
      .values({ turn_id: turnId, state, saved_at: at })
      .onConflict((conflict) => conflict.column('turn_id').doUpdateSet({ state, saved_at: at }));
    await this.#database.change([statement(save)], `turn ${turnId} cannot be kept`);
  }

  async delete(turnId: string): Promise<void> {
    const forget = this.#database.queries.deleteFrom('suspended_turn').where('turn_id', '=', turnId);
    await this.#database.change([statement(forget)], `turn ${turnId} cannot be forgotten`);
  }

  async all(): Promise<readonly KeptTurnState[]> {
    const { queries } = this.#database;
    const kept = queries.selectFrom('suspended_turn').select(['turn_id', 'state']);
    const rows = await readRows(this.#database, kept.orderBy('saved_at').orderBy('turn_id'));
    return rows.map((row) => ({ turnId: row.turn_id, state: row.state }));
  }
}
