import { sql } from 'kysely';
import type { BudgetHold, BudgetSpending, BudgetStore, BudgetUse } from '../../../core/ports/budget-store.ts';
import { StepRefused } from '../../../core/ports/step-refused.ts';
import type { Holder } from './holder.ts';
import { readRows, type SqlDatabase, type Statement, statement } from './sql-database.ts';

const refusal = 'the budget takes no such change: it is used up, or the hold is settled';

/** The changes of all accounts together. */
const ofAll = { refusal, order: 'budgets' } as const;

/** How many rows one change deletes. The limit keeps other changes from waiting long. */
const purgedAtOnce = 500;

/** What was spent of budgets in a relational database (contract/limits.md#budgets). */
export class SqlBudgetStore implements BudgetStore {
  readonly #database: SqlDatabase;
  readonly #holder: Holder | undefined;

  /** The caller owns and closes `database`. `holder`: this server, where others use the database at the same time. */
  constructor(database: SqlDatabase, holder?: Holder) {
    this.#database = database;
    this.#holder = holder;
  }

  get isShared(): boolean {
    return this.#holder !== undefined;
  }

  hold(id: string, holds: readonly BudgetHold[], now: number): Promise<boolean> {
    return this.#made(
      id,
      holds.flatMap((hold) => this.#held(id, hold, now)),
    );
  }

  async settle(id: string, spent: readonly BudgetSpending[]): Promise<void> {
    const held = this.#database.queries.deleteFrom('budget_hold').where('id', '=', id);
    await this.#made(id, [...spent.map((each) => this.#spent(id, each)), statement(held, spent.length)]);
  }

  async uses(accounts: readonly string[], now: number): Promise<readonly BudgetUse[]> {
    const running = this.#database.queries
      .selectFrom('budget_use')
      .selectAll()
      .where('account', 'in', accounts)
      .where('ends_at', '>', now);
    const rows = await readRows(this.#database, running);
    return rows.map(({ ends_at: endsAt, ...use }) => ({ ...use, endsAt }));
  }

  async countLeftBehind(): Promise<number> {
    if (this.#holder !== undefined) return this.#countFree(this.#holder);
    const { queries } = this.#database;
    const counted = queries
      .updateTable('budget_use')
      .set({ spent: sql<number>`spent + held`, held: 0 })
      .where('held', '>', 0);
    const left = queries.deleteFrom('budget_hold');
    const [, deleted] = await this.#database.change([statement(counted), statement(left)], ofAll);
    return deleted?.changes ?? 0;
  }

  async purge(before: number): Promise<number> {
    const { queries } = this.#database;
    await this.#database.change([statement(queries.deleteFrom('budget_hold').where('ends_at', '<', before))], ofAll);
    const due = queries.selectFrom('budget_use').select('account').where('ends_at', '<', before).limit(purgedAtOnce);
    // An account whose next window begins at this moment stays: the condition is asked again of the row as it is then.
    const deleted = queries.deleteFrom('budget_use').where('account', 'in', due).where('ends_at', '<', before);
    let count = 0;
    for (let rows = purgedAtOnce; rows === purgedAtOnce; count += rows) {
      rows = (await this.#database.change([statement(deleted)], ofAll))[0]?.changes ?? 0;
    }
    return count;
  }

  /** Counts each hold by itself, because the same accounts also have holds of replicas that live. */
  async #countFree(holder: Holder): Promise<number> {
    const { queries } = this.#database;
    const free = queries
      .selectFrom('budget_hold')
      .selectAll()
      .where((row) => holder.isFree(row.ref('budget_hold.replica')))
      .orderBy('id');
    let count = 0;
    for (const [id, holds] of Map.groupBy(await readRows(this.#database, free), (hold) => hold.id)) {
      const left = queries
        .deleteFrom('budget_hold')
        .where('id', '=', id)
        .where((row) => holder.isFree(row.ref('budget_hold.replica')));
      // Only whoever deletes the hold counts it.
      if (await this.#made(id, [...holds.map((hold) => this.#spent(id, hold)), statement(left, holds.length)]))
        count += holds.length;
    }
    return count;
  }

  /**
   * An account without a running window begins a new one, and its earlier amounts do not count. In a running window the amount is added if
   * there is room.
   */
  #held(id: string, { account, amount, below, endsAt }: BudgetHold, now: number): readonly Statement[] {
    const { queries } = this.#database;
    const isOver = sql<boolean>`budget_use.ends_at <= ${now}`;
    const hasRoom = sql<boolean>`budget_use.spent + budget_use.held < ${below ?? Number.MAX_SAFE_INTEGER}`;
    const added = queries
      .insertInto('budget_use')
      .values({ account, spent: 0, held: amount, ends_at: endsAt })
      .onConflict((conflict) =>
        conflict
          .column('account')
          .doUpdateSet({
            spent: sql<number>`case when ${isOver} then 0 else budget_use.spent end`,
            held: sql<number>`case when ${isOver} then ${amount} else budget_use.held + ${amount} end`,
            ends_at: sql<number>`case when ${isOver} then ${endsAt} else budget_use.ends_at end`,
          })
          .where(sql<boolean>`${isOver} or ${hasRoom}`),
      );
    const replica = this.#holder?.replica ?? null;
    const window = queries.selectFrom('budget_use').select('ends_at').where('account', '=', account);
    const kept = queries.insertInto('budget_hold').values({ id, account, amount, ends_at: window, replica });
    return [statement(added, 1), statement(kept, 1)];
  }

  #spent(id: string, { account, amount }: BudgetSpending): Statement {
    const { queries } = this.#database;
    const hold = queries.selectFrom('budget_hold').where('id', '=', id).where('account', '=', account);
    const spent = queries
      .updateTable('budget_use')
      .set({ spent: sql<number>`spent + ${amount}`, held: sql<number>`held - (${hold.select('amount')})` })
      .where('account', '=', account)
      .where('ends_at', '=', hold.select('ends_at'));
    return statement(spent);
  }

  async #made(id: string, statements: readonly Statement[]): Promise<boolean> {
    try {
      await this.#database.change(statements, { refusal, order: `hold ${id}` });
      return true;
    } catch (error) {
      if (error instanceof StepRefused) return false;
      throw error;
    }
  }
}
