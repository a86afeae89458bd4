import type { MetricsStore, StoredHour } from '../../../core/ports/metrics-store.ts';
import { readRows, type SqlDatabase, statement } from './sql-database.ts';

/** The dashboard's hourly figures in a relational database. */
export class SqlMetricsStore implements MetricsStore {
  readonly #database: SqlDatabase;

  /** The caller owns and closes `database`. */
  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async save({ hour, figures }: StoredHour): Promise<void> {
    const put = this.#database.queries
      .insertInto('metric_hour')
      .values({ hour, figures })
      .onConflict((conflict) => conflict.column('hour').doUpdateSet({ figures }));
    await this.#database.change([statement(put)], 'the figures of the dashboard cannot be stored');
  }

  async read(from: number, to: number): Promise<readonly StoredHour[]> {
    const { queries } = this.#database;
    const hours = queries.selectFrom('metric_hour').selectAll().where('hour', '>=', from).where('hour', '<', to);
    return readRows(this.#database, hours.orderBy('hour'));
  }

  async forget(before: number): Promise<void> {
    const forget = this.#database.queries.deleteFrom('metric_hour').where('hour', '<', before);
    await this.#database.change([statement(forget)], 'old figures cannot be deleted');
  }
}
