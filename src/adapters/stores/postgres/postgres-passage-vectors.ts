import { sql } from 'kysely';
import { normOf, wordsFor } from '../../../core/base/small-vector.ts';
import type {
  PassageVector,
  PassageVectorStore,
  TakenPassages,
  VectorsOf,
} from '../../../core/ports/passage-vector-store.ts';
import { type ChangeRules, erasing, readRows, rowsOf, type SqlDatabase, statement } from '../sql/sql-database.ts';
import type { PassageVectorTable } from '../sql/tables.ts';
import { databaseNow } from './database-clock.ts';

/** How long things count, in milliseconds. */
export interface PassageVectorTimes {
  /** For how long a text stays reserved for the server that makes its vector. */
  readonly reservedMs: number;
  /** A use is noted when the last noted one is older. Shorter times write more often. */
  readonly notedMs: number;
}

const defaultTimes: PassageVectorTimes = { reservedMs: 30_000, notedMs: 2 * 24 * 60 * 60 * 1_000 };

/** How many rows one change deletes. The limit keeps other changes from waiting long. */
const purgedAtOnce = 500;

const key = ['source', 'model', 'hash'] as const;

const refusal = 'the vectors of documents cannot be changed';

type Kept = Pick<PassageVectorTable, 'hash' | 'dimensions' | 'numbers' | 'signs'>;

/** Vectors of passages in PostgreSQL, for all servers that use the database (contract/document-folders.md#vectors-in-the-database). */
export class PostgresPassageVectors implements PassageVectorStore {
  readonly #database: SqlDatabase;
  readonly #times: PassageVectorTimes;

  /** The caller owns and closes `database`, which MUST be PostgreSQL. */
  constructor(database: SqlDatabase, times = defaultTimes) {
    this.#database = database;
    this.#times = times;
  }

  async find(of: VectorsOf, hashes: readonly string[]): Promise<readonly PassageVector[]> {
    return (await this.#rows(of, hashes)).flatMap(vectorOf);
  }

  async take(of: VectorsOf, hashes: readonly string[]): Promise<TakenPassages> {
    const rows = await this.#rows(of, hashes);
    const kept = new Set(rows.map(({ hash }) => hash));
    const missing = hashes.filter((hash) => !kept.has(hash));
    // A row that cannot be read cannot be reserved, so nobody else makes its vector.
    const spoilt = rows.filter((row) => vectorOf(row).length === 0).map(({ hash }) => hash);
    return { found: rows.flatMap(vectorOf), toMake: [...spoilt, ...(await this.#reserved(of, missing))] };
  }

  async release(of: VectorsOf, hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    const { queries } = this.#database;
    const released = queries
      .deleteFrom('passage_vector')
      .where('source', '=', of.source)
      .where('model', '=', of.model)
      .where('hash', 'in', [...hashes])
      .where('numbers', 'is', null);
    await this.#database.change([statement(released)], rulesOf(of));
  }

  async keep(of: VectorsOf, vectors: readonly PassageVector[]): Promise<void> {
    if (vectors.length === 0) return;
    const rows = inOrder(vectors.map((vector) => rowOf(of, vector)));
    const kept = this.#database.queries
      .insertInto('passage_vector')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(key).doUpdateSet((row) => ({
          dimensions: row.ref('excluded.dimensions'),
          numbers: row.ref('excluded.numbers'),
          signs: row.ref('excluded.signs'),
          used_at: databaseNow,
        })),
      );
    await this.#database.change([statement(kept)], rulesOf(of));
  }

  async use(of: VectorsOf, hashes: readonly string[]): Promise<readonly string[]> {
    if (hashes.length === 0) return [];
    const noted = this.#database.queries
      .updateTable('passage_vector')
      .set({ used_at: databaseNow })
      .where('source', '=', of.source)
      .where('model', '=', of.model)
      .where('hash', 'in', [...hashes])
      .where('numbers', 'is not', null)
      .where('used_at', '<=', sql<number>`${databaseNow} - ${this.#times.notedMs}`);
    await this.#database.change([statement(noted)], rulesOf(of));
    const kept = await readRows(this.#database, this.#kept(of, hashes).select('hash'));
    const known = new Set(kept.map(({ hash }) => hash));
    return hashes.filter((hash) => !known.has(hash));
  }

  async purge(unusedSince: number): Promise<number> {
    const { queries } = this.#database;
    const due = queries.selectFrom('passage_vector').select(key).where('used_at', '<', unusedSince).limit(purgedAtOnce);
    const deleted = queries
      .deleteFrom('passage_vector')
      .where((row) => row(row.refTuple(...key), 'in', due.$asTuple(...key)))
      // A vector that is used at this moment stays: the condition is asked again of the row as it is then.
      .where('used_at', '<', unusedSince);
    let count = 0;
    for (let rows = purgedAtOnce; rows === purgedAtOnce; count += rows) {
      const [purged] = await this.#database.change([erasing(deleted)], { refusal, order: 'vectors of documents' });
      rows = purged?.changes ?? 0;
    }
    return count;
  }

  async #rows(of: VectorsOf, hashes: readonly string[]): Promise<readonly Kept[]> {
    if (hashes.length === 0) return [];
    return readRows(this.#database, this.#kept(of, hashes).select(['hash', 'dimensions', 'numbers', 'signs']));
  }

  #kept({ source, model }: VectorsOf, hashes: readonly string[]) {
    return this.#database.queries
      .selectFrom('passage_vector')
      .where('source', '=', source)
      .where('model', '=', model)
      .where('hash', 'in', [...hashes])
      .where('numbers', 'is not', null);
  }

  /** The texts that are reserved for the caller now. A reservation that is older than its time counts no more. */
  async #reserved(of: VectorsOf, hashes: readonly string[]): Promise<readonly string[]> {
    if (hashes.length === 0) return [];
    const nothing = { dimensions: null, numbers: null, signs: null, used_at: databaseNow };
    const rows = inOrder(hashes.map((hash) => ({ ...{ source: of.source, model: of.model, hash }, ...nothing })));
    const reserved = this.#database.queries
      .insertInto('passage_vector')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(key)
          .doUpdateSet({ used_at: databaseNow })
          .where('passage_vector.numbers', 'is', null)
          .where('passage_vector.used_at', '<=', sql<number>`${databaseNow} - ${this.#times.reservedMs}`),
      )
      .returning('hash');
    const [result] = await this.#database.change([statement(reserved)], rulesOf(of));
    return rowsOf(reserved, result).map(({ hash }) => hash);
  }
}

function rulesOf({ source }: VectorsOf): ChangeRules {
  return { refusal, order: `vectors of ${source}` };
}

/** Servers that write the same rows write them in the same order, so that no two of them wait for each other. */
function inOrder<Row extends { readonly hash: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
}

function rowOf({ source, model }: VectorsOf, { hash, vector: { numbers, signs } }: PassageVector) {
  return {
    ...{ source, model, hash },
    dimensions: numbers.length,
    numbers: Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64'),
    signs: Buffer.from(signs.buffer, signs.byteOffset, signs.byteLength).toString('base64'),
    used_at: databaseNow,
  };
}

/** None for a row whose parts do not fit each other: its vector is made anew. */
function vectorOf({ hash, dimensions, ...kept }: Kept): readonly PassageVector[] {
  // Each array gets a buffer of its own: those of small Buffers are shared.
  const numbers = new Int8Array(Buffer.from(kept.numbers ?? '', 'base64'));
  const bits = new Uint8Array(Buffer.from(kept.signs ?? '', 'base64'));
  if (numbers.length === 0 || numbers.length !== dimensions) return [];
  if (bits.length !== 4 * wordsFor(dimensions)) return [];
  return [{ hash, vector: { numbers, norm: normOf(numbers), signs: new Uint32Array(bits.buffer) } }];
}
