import type { Kysely } from 'kysely';
import type { KeptTurnState, SuspendedTurnStore } from '../../../core/ports/suspended-turn-store.ts';
import type { Tables } from './tables.ts';

/** Suspended turns in a relational database (wire.md 5). */
export class SqlSuspendedTurnStore implements SuspendedTurnStore {
  readonly #database: Kysely<Tables>;

  /** `database` stays the caller's. Every commit on it MUST be durable. */
  constructor(database: Kysely<Tables>) {
    this.#database = database;
  }

  async save({ turnId, state }: KeptTurnState, at: number): Promise<void> {
    await this.#database
      .insertInto('suspended_turn')
      .values({ turn_id: turnId, state, saved_at: at })
      .onConflict((conflict) => conflict.column('turn_id').doUpdateSet({ state, saved_at: at }))
      .execute();
  }

  async delete(turnId: string): Promise<void> {
    await this.#database.deleteFrom('suspended_turn').where('turn_id', '=', turnId).execute();
  }

  async all(): Promise<readonly KeptTurnState[]> {
    const rows = await this.#database
      .selectFrom('suspended_turn')
      .select(['turn_id', 'state'])
      .orderBy('saved_at')
      .orderBy('turn_id')
      .execute();
    return rows.map((row) => ({ turnId: row.turn_id, state: row.state }));
  }
}
