import type { ErasureStore } from '../../../core/ports/erasure-store.ts';
import { readRows, type SqlDatabase, statement } from './sql-database.ts';

/** The marks of erased users in a relational database. */
export class SqlErasureStore implements ErasureStore {
  readonly #database: SqlDatabase;

  /** The caller owns and closes `database`. */
  constructor(database: SqlDatabase) {
    this.#database = database;
  }

  async mark(mark: string, at: number): Promise<void> {
    const put = this.#database.queries
      .insertInto('erasure')
      .values({ mark, erased_at: at })
      .onConflict((conflict) => conflict.column('mark').doUpdateSet({ erased_at: at }));
    await this.#database.change([statement(put)], { refusal: 'an erasure cannot be noted', order: `erasure ${mark}` });
  }

  async erasedAt(marks: readonly string[]): Promise<number | undefined> {
    const last = this.#database.queries
      .selectFrom('erasure')
      .select('erased_at')
      .where('mark', 'in', marks)
      .orderBy('erased_at', 'desc')
      .limit(1);
    return (await readRows(this.#database, last))[0]?.erased_at;
  }

  async latest(): Promise<number | undefined> {
    const { queries } = this.#database;
    const latest = await Promise.all([
      readRows(
        this.#database,
        queries.selectFrom('erasure').select((row) => row.fn.max<number | null>('erased_at').as('at')),
      ),
      readRows(
        this.#database,
        queries.selectFrom('memory_erasure').select((row) => row.fn.max<number | null>('at').as('at')),
      ),
      readRows(
        this.#database,
        queries.selectFrom('memory_capture').select((row) => row.fn.max<number | null>('asked_at').as('at')),
      ),
    ]);
    const times = latest.flat().flatMap(({ at }) => at ?? []);
    return times.length === 0 ? undefined : Math.max(...times);
  }

  async forget(before: number): Promise<void> {
    const forget = this.#database.queries.deleteFrom('erasure').where('erased_at', '<', before);
    await this.#database.change([statement(forget)], {
      refusal: 'old erasures cannot be forgotten',
      order: 'erasures',
    });
  }
}
