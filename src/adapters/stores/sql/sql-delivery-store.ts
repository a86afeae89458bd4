import type { DeliveryStore, PendingDelivery } from '../../../core/ports/delivery-store.ts';
import { type ChangeRules, erasing, readRows, type SqlDatabase, statement } from './sql-database.ts';

/** Deliveries that wait in a relational database. `SqlTurnStore.end` adds them. */
export class SqlDeliveryStore implements DeliveryStore {
  readonly #database: SqlDatabase;

  /** The caller owns and closes `database`. */
  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async due(...[now, limit, { hosts, turns }]: Parameters<DeliveryStore['due']>): Promise<readonly PendingDelivery[]> {
    let due = this.#database.queries
      .selectFrom('turn_delivery')
      .select(['turn_id', 'owner', 'host', 'due_at', 'content', 'attempts'])
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .orderBy('turn_id')
      .limit(limit);
    if (hosts.length > 0) due = due.where('host', 'not in', hosts);
    if (turns.length > 0) due = due.where('turn_id', 'not in', turns);
    return (await readRows(this.#database, due)).map(({ turn_id: turnId, due_at: dueAt, ...rest }) => ({
      turnId,
      dueAt,
      ...rest,
    }));
  }

  async next(now: number): Promise<number | undefined> {
    const next = this.#database.queries
      .selectFrom('turn_delivery')
      .select('due_at')
      .where('due_at', '>', now)
      .orderBy('due_at')
      .limit(1);
    return (await readRows(this.#database, next))[0]?.due_at;
  }

  async postpone(turnId: string, dueAt: number): Promise<void> {
    const postponed = this.#database.queries
      .updateTable('turn_delivery')
      .set((row) => ({ due_at: dueAt, attempts: row('attempts', '+', 1) }))
      .where('turn_id', '=', turnId);
    await this.#database.change([statement(postponed)], of(turnId));
  }

  async settle(turnId: string): Promise<void> {
    const settled = this.#database.queries.deleteFrom('turn_delivery').where('turn_id', '=', turnId);
    await this.#database.change([erasing(settled)], of(turnId));
  }

  async erase(userKey: string): Promise<void> {
    const erased = this.#database.queries.deleteFrom('turn_delivery').where('owner', '=', userKey);
    await this.#database.change([erasing(erased)], {
      refusal: 'deliveries cannot be erased',
      order: `deliveries of ${userKey}`,
    });
  }
}

function of(turnId: string): ChangeRules {
  return { refusal: `the delivery of turn ${turnId} cannot be changed`, order: `turn ${turnId}` };
}
