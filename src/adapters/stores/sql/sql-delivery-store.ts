import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { DeliveryStore, PendingDelivery, SharedDeliveries } from '../../../core/ports/delivery-store.ts';
import type { Holder } from './holder.ts';
import { type ChangeRules, erasing, readRows, type SqlDatabase, statement } from './sql-database.ts';
import type { Tables } from './tables.ts';

/** Deliveries that wait in a relational database. `SqlTurnStore.end` adds them. */
export class SqlDeliveryStore implements DeliveryStore {
  readonly shared?: SharedDeliveries;
  readonly #database: SqlDatabase;
  readonly #holder: Holder | undefined;

  /** The caller owns and closes `database`. `holder`: this server, where others use the database at the same time. */
  constructor(database: SqlDatabase, holder?: Holder) {
    this.#database = database;
    this.#holder = holder;
    if (holder !== undefined) this.shared = { claim: (delivery) => this.#claim(holder, delivery) };
  }

  async due(...[now, limit, { hosts, turns }]: Parameters<DeliveryStore['due']>): Promise<readonly PendingDelivery[]> {
    let due = this.#database.queries
      .selectFrom('turn_delivery')
      .select(['turn_id', 'owner', 'host', 'due_at', 'content', 'attempts'])
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .orderBy('turn_id')
      .limit(limit);
    const holder = this.#holder;
    if (holder !== undefined) due = due.where((row) => isOpenTo(holder, row));
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
    const holder = this.#holder;
    const postponed = this.#database.queries
      .updateTable('turn_delivery')
      .set((row) => ({ due_at: dueAt, attempts: row('attempts', '+', 1), replica: null }))
      .where('turn_id', '=', turnId)
      .$if(holder !== undefined, (query) => query.where('replica', '=', holder?.replica ?? null));
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

  async #claim(holder: Holder, { turnId, attempts }: Pick<PendingDelivery, 'turnId' | 'attempts'>): Promise<boolean> {
    const claimed = this.#database.queries
      .updateTable('turn_delivery')
      .set({ replica: holder.replica })
      .where('turn_id', '=', turnId)
      .where('attempts', '=', attempts)
      .where((row) => isOpenTo(holder, row));
    const [result] = await this.#database.change([statement(claimed)], of(turnId));
    return result?.changes === 1;
  }
}

/** Whether this replica may make an attempt. It may make an attempt again whose outcome it could not store. */
function isOpenTo(holder: Holder, row: ExpressionBuilder<Tables, 'turn_delivery'>): Expression<SqlBool> {
  return row.or([holder.isFree(row.ref('turn_delivery.replica')), row('turn_delivery.replica', '=', holder.replica)]);
}

function of(turnId: string): ChangeRules {
  return { refusal: `the delivery of turn ${turnId} cannot be changed`, order: `turn ${turnId}` };
}
