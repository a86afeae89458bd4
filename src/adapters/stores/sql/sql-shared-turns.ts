import type { SharedTurn, SharedTurns } from '../../../core/ports/turn-store.ts';
import { turnRefusal } from '../turn-steps.ts';
import type { Holder } from './holder.ts';
import { type ChangeRules, readRows, type SqlDatabase, statement } from './sql-database.ts';

/** How many turns one query asks for. */
const askedAtOnce = 500;

/** What replicas that share a relational database know of each other's turns. */
export class SqlSharedTurns implements SharedTurns {
  readonly #database: SqlDatabase;
  readonly #holder: Holder;

  constructor(database: SqlDatabase, holder: Holder) {
    this.#database = database;
    this.#holder = holder;
  }

  async free(): Promise<readonly string[]> {
    const oldestFirst = this.#database.queries
      .selectFrom('turn')
      .select('turn_id')
      .where('forget_at', 'is', null)
      .where((row) => this.#holder.isFree(row.ref('turn.replica')))
      .orderBy('saved_at')
      .orderBy('turn_id');
    return (await readRows(this.#database, oldestFirst)).map((row) => row.turn_id);
  }

  async stateOf(turnId: string): Promise<SharedTurn | undefined> {
    const found = this.#database.queries
      .selectFrom('turn')
      .select(['replica', 'forget_at'])
      .select((row) =>
        row
          .case()
          .when(this.#holder.isFree(row.ref('turn.replica')))
          .then(1)
          .else(0)
          .end()
          .as('is_free'),
      )
      .where('turn_id', '=', turnId);
    const [turn] = await readRows(this.#database, found);
    if (turn === undefined) return undefined;
    return { heldBy: turn.is_free === 1 ? undefined : (turn.replica ?? undefined), isOver: turn.forget_at !== null };
  }

  async lost(holds: Parameters<SharedTurns['lost']>[0]): Promise<readonly string[]> {
    const epochs = new Map<string, number>();
    for (let first = 0; first < holds.length; first += askedAtOnce) {
      const turns = holds.slice(first, first + askedAtOnce).map(({ turnId }) => turnId);
      const stored = this.#database.queries
        .selectFrom('turn')
        .select(['turn_id', 'epoch'])
        .where('turn_id', 'in', turns);
      for (const { turn_id, epoch } of await readRows(this.#database, stored)) epochs.set(turn_id, epoch);
    }
    return holds.filter(({ turnId, epoch }) => epochs.get(turnId) !== epoch).map(({ turnId }) => turnId);
  }

  onHeardAgain(listener: () => void): void {
    this.#holder.onHeardAgain(listener);
  }

  async others(): Promise<readonly string[]> {
    const living = this.#database.queries
      .selectFrom('replica')
      .select('id')
      .where('id', '!=', this.#holder.replica)
      .where((row) => row.not(this.#holder.isFree(row.ref('replica.id'))))
      .orderBy('id');
    return (await readRows(this.#database, living)).map(({ id }) => id);
  }

  async release(turnId: string): Promise<void> {
    const free = this.#database.queries
      .updateTable('turn')
      .set({ replica: null })
      .where('turn_id', '=', turnId)
      .where('replica', '=', this.#holder.replica);
    await this.#database.change([statement(free)], changesOf(turnId));
  }
}

/** The rules for changes of one turn. */
export function changesOf(turnId: string): ChangeRules {
  return { refusal: turnRefusal(turnId), order: `turn ${turnId}` };
}
