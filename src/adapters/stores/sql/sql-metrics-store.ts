import type { HourStore, MetricsStore, StoredHour } from '../../../core/ports/metrics-store.ts';
import { readRows, type SqlDatabase, statement } from './sql-database.ts';

/** The hours of one tenant, or of all callers together. */
class SqlHours implements HourStore {
  readonly #database: SqlDatabase;
  readonly #tenant: string;

  /** `tenant` is the text in the column `tenant`. */
  constructor(database: SqlDatabase, tenant: string) {
    this.#database = database;
    this.#tenant = tenant;
  }

  async save({ hour, figures }: StoredHour): Promise<void> {
    const put = this.#database.queries
      .insertInto('metric_hour')
      .values({ tenant: this.#tenant, hour, figures })
      .onConflict((conflict) => conflict.columns(['tenant', 'hour']).doUpdateSet({ figures }));
    await this.#database.change([statement(put)], {
      refusal: 'the figures of the dashboard cannot be stored',
      order: `figures of ${this.#tenant}`,
    });
  }

  async read(from: number, to: number): Promise<readonly StoredHour[]> {
    const hours = this.#database.queries
      .selectFrom('metric_hour')
      .select(['hour', 'figures'])
      .where('tenant', '=', this.#tenant)
      .where('hour', '>=', from)
      .where('hour', '<', to);
    return readRows(this.#database, hours.orderBy('hour'));
  }
}

/** The dashboard's hourly figures in a relational database. */
export class SqlMetricsStore implements MetricsStore {
  readonly #database: SqlDatabase;
  readonly #all: SqlHours;

  /** The caller owns and closes `database`. */
  constructor(database: SqlDatabase) {
    this.#database = database;
    // No tenant has an empty name, so the empty text stands for all callers together.
    this.#all = new SqlHours(database, '');
  }

  save(hour: StoredHour): Promise<void> {
    return this.#all.save(hour);
  }

  read(from: number, to: number): Promise<readonly StoredHour[]> {
    return this.#all.read(from, to);
  }

  of(tenant: string): HourStore {
    // Some databases cannot store a text with the character 0, so the name is encoded.
    return new SqlHours(this.#database, encodeURIComponent(tenant));
  }

  async forget(before: number): Promise<void> {
    const forget = this.#database.queries.deleteFrom('metric_hour').where('hour', '<', before);
    await this.#database.change([statement(forget)], { refusal: 'old figures cannot be deleted', order: 'figures' });
  }
}
