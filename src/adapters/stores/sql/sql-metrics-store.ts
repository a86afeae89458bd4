import type { HourPart, HourStore, MetricsStore, StoredHour } from '../../../core/ports/metrics-store.ts';
import type { Holder } from './holder.ts';
import { readRows, type SqlDatabase, statement } from './sql-database.ts';

/** The hours of one tenant, or of all callers together. */
class SqlHours implements HourStore {
  readonly #database: SqlDatabase;
  readonly #tenant: string;
  readonly #replica: string;

  /** `tenant` and `replica` are the texts in the columns of these names. */
  constructor(database: SqlDatabase, { tenant, replica }: { readonly tenant: string; readonly replica: string }) {
    this.#database = database;
    this.#tenant = tenant;
    this.#replica = replica;
  }

  async save({ hour, figures }: StoredHour): Promise<void> {
    const put = this.#database.queries
      .insertInto('metric_hour')
      .values({ tenant: this.#tenant, hour, replica: this.#replica, figures })
      .onConflict((conflict) => conflict.columns(['tenant', 'hour', 'replica']).doUpdateSet({ figures }));
    await this.#database.change([statement(put)], {
      refusal: 'the figures of the dashboard cannot be stored',
      order: `figures of ${this.#tenant}`,
    });
  }

  async read(from: number, to: number): Promise<readonly HourPart[]> {
    const hours = this.#database.queries
      .selectFrom('metric_hour')
      .select(['hour', 'replica', 'figures'])
      .where('tenant', '=', this.#tenant)
      .where('hour', '>=', from)
      .where('hour', '<', to);
    const rows = await readRows(this.#database, hours.orderBy('hour').orderBy('replica'));
    return rows.map(({ replica, ...part }) => (replica === this.#replica ? part : { ...part, isOfOther: true }));
  }
}

/** The dashboard's hourly figures in a relational database. */
export class SqlMetricsStore implements MetricsStore {
  readonly #database: SqlDatabase;
  readonly #replica: string;
  readonly #all: SqlHours;

  /** The caller owns and closes `database`. `holder`: this server, where others use the database at the same time. */
  constructor(database: SqlDatabase, holder?: Holder) {
    this.#database = database;
    this.#replica = holder?.replica ?? '';
    // No tenant has an empty name, so the empty text stands for all callers together.
    this.#all = this.#hoursOf('');
  }

  save(hour: StoredHour): Promise<void> {
    return this.#all.save(hour);
  }

  read(from: number, to: number): Promise<readonly HourPart[]> {
    return this.#all.read(from, to);
  }

  of(tenant: string): HourStore {
    // Some databases cannot store a text with the character 0, so the name is encoded.
    return this.#hoursOf(encodeURIComponent(tenant));
  }

  async forget(before: number): Promise<void> {
    const forget = this.#database.queries.deleteFrom('metric_hour').where('hour', '<', before);
    await this.#database.change([statement(forget)], { refusal: 'old figures cannot be deleted', order: 'figures' });
  }

  #hoursOf(tenant: string): SqlHours {
    return new SqlHours(this.#database, { tenant, replica: this.#replica });
  }
}
