import type { KeptTurnState, SuspendedTurnStore } from '../../../core/ports/suspended-turn-store.ts';
import { readRows, type SqlDatabase, statement } from './sql-database.ts';

/** Reads the suspended turns that version 1.0 kept in a relational database (contract/restarts.md). */
export class SqlSuspendedTurnStore implements SuspendedTurnStore {
  readonly #database: SqlDatabase;

  /** The caller owns and closes `database`. */
  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async delete(turnId: string): Promise<void> {
    const forget = this.#database.queries.deleteFrom('suspended_turn').where('turn_id', '=', turnId);
    await this.#database.change([statement(forget)], {
      refusal: `turn ${turnId} cannot be forgotten`,
      order: `turn ${turnId}`,
    });
  }

  async all(): Promise<readonly KeptTurnState[]> {
    const { queries } = this.#database;
    const kept = queries.selectFrom('suspended_turn').select(['turn_id', 'state']);
    const rows = await readRows(this.#database, kept.orderBy('saved_at').orderBy('turn_id'));
    return rows.map((row) => ({ turnId: row.turn_id, state: row.state }));
  }
}
