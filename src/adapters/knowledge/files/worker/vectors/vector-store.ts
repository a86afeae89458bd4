import type { Database, Statement } from 'better-sqlite3';
import { meantText } from './chunk-text.ts';
import { signsOf } from '../../../../../core/base/small-vector.ts';
import type { PassageVector } from '../../../../../core/ports/passage-vector-store.ts';
import { type ScannedChunk, VectorScan } from './vector-scan.ts';

/** A text that has no vector yet. */
export interface MissingText {
  readonly hash: string;
  readonly text: string;
}

interface MissingRow {
  readonly id: number;
  readonly hash: string;
  readonly title: string;
  readonly headings: string;
  readonly text: string;
}

interface VectorRow {
  readonly hash: string;
  readonly norm: number;
  readonly signs: Buffer;
  readonly numbers: Buffer;
}

/** A chunk that means something like the question. */
export interface NearChunk {
  readonly chunk: number;
  readonly cosine: number;
}

/** The number of chunks with the nearest signs for which the cosine is computed. A smaller number misses the nearest chunk more often. */
const lookedAtClosely = 200;
/** The most bytes of numbers that are kept in memory. A larger index reads its numbers from the disk, which is slower. */
const mostInMemory = 64 * 1024 * 1024;

/** The vectors of an index by one model. Vectors of an earlier model stay until all texts have new ones. */
export class VectorStore {
  readonly #identity: string;
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;
  #scan: VectorScan | undefined;

  constructor(database: Database, identity: string) {
    this.#identity = identity;
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** To be called after chunks, or their vectors, have changed. */
  forget(): void {
    this.#scan = undefined;
  }

  /** How many numbers a vector of this model has. Undefined: there is no vector yet. */
  get dimensions(): number | undefined {
    return this.#model()?.dimensions;
  }

  /** The number of chunks that have a vector by this model. */
  count(): number {
    const model = this.#model();
    return model === undefined ? 0 : Number(this.#statements.count.get(model.id));
  }

  /**
   * Texts without a vector, from the chunks whose id is higher than `after`. `last` is the `after` of the next call. No texts: there are no
   * more.
   */
  missing(after: number, most: number): { readonly texts: readonly MissingText[]; readonly last: number } {
    const rows = this.#statements.missing.all(after, this.#model()?.id ?? 0, most) as MissingRow[]; // the query's columns
    const texts = new Map(rows.map((row) => [row.hash, { hash: row.hash, text: meantText(row) }]));
    return { texts: [...texts.values()], last: rows.at(-1)?.id ?? after };
  }

  /** Writes vectors. The first vector decides their length; a vector of another length is skipped. @throws Error of SQLite. */
  write(vectors: readonly PassageVector[]): void {
    this.#database.transaction(() => {
      for (const { hash, vector } of vectors) {
        const { numbers, norm, signs } = vector;
        this.#statements.addModel.run(this.#identity, numbers.length);
        const model = this.#model();
        if (model?.dimensions !== numbers.length) continue;
        this.#statements.add.run(model.id, hash, norm, bytesOf(signs), bytesOf(numbers));
      }
    })();
  }

  /** The hashes of texts with a vector that come after `after`, in their order. */
  hashes(after: string, most: number): readonly string[] {
    return this.#statements.hashes.all(this.#model()?.id ?? 0, after, most) as string[]; // the query's column
  }

  /** The vectors of these texts, as far as there are any. */
  vectorsOf(hashes: readonly string[]): readonly PassageVector[] {
    const rows = this.#statements.vectors.all(this.#model()?.id ?? 0, JSON.stringify(hashes)) as VectorRow[]; // the query's columns
    return rows.map(({ hash, norm, signs, numbers }) => ({
      hash,
      vector: { norm, signs: new Uint32Array(new Uint8Array(signs).buffer), numbers: new Int8Array(numbers) },
    }));
  }

  /** Removes vectors of texts that are gone. @throws Error of SQLite. */
  tidy(): void {
    this.#statements.removeStale.run();
  }

  /** Removes vectors of other models. @throws Error of SQLite. */
  removeOthers(): void {
    const model = this.#model()?.id ?? 0;
    this.#database.transaction(() => {
      this.#statements.removeOthers.run(model);
      this.#statements.removeModels.run(model);
    })();
  }

  /** The identity of another model that has vectors for more chunks than this one. Undefined: there is no such model. */
  fuller(): string | undefined {
    const own = this.count();
    const [fullest] = this.#statements.coverage.all(this.#model()?.id ?? 0) as { identity: string; chunks: number }[]; // the query's columns
    return fullest !== undefined && fullest.chunks > own ? fullest.identity : undefined;
  }

  /** The chunks whose cosine with a question is at least `minCosine`, the nearest first. */
  nearest(
    vector: Float32Array,
    {
      audiences,
      minCosine,
      most,
    }: { readonly audiences: readonly number[] | null; readonly minCosine: number; readonly most: number },
  ): readonly NearChunk[] {
    const scan = this.#scanned();
    return scan
      .nearest(signsOf(vector), audiences, lookedAtClosely)
      .map((chunk) => ({ chunk, cosine: scan.cosine(vector, chunk) ?? 0 }))
      .filter(({ cosine }) => cosine >= minCosine)
      .sort((one, other) => other.cosine - one.cosine || one.chunk - other.chunk)
      .slice(0, most);
  }

  /** How near a chunk is to a question; undefined when it has no vector. */
  cosine(vector: Float32Array, chunk: number): number | undefined {
    return this.#scanned().cosine(vector, chunk);
  }

  #scanned(): VectorScan {
    if (this.#scan !== undefined) return this.#scan;
    const { id = 0, dimensions = 0 } = this.#model() ?? {};
    const chunks = Number(this.#statements.count.get(id));
    const isLarge = chunks * dimensions > mostInMemory;
    const statement = isLarge ? this.#statements.signs : this.#statements.all;
    const rows = statement.iterate(id) as Iterable<ScannedChunk>; // the columns are those of the queries
    const size = isLarge ? { chunks, dimensions, numbersOf: this.#numbersOf } : { chunks, dimensions };
    this.#scan = new VectorScan(rows, size);
    return this.#scan;
  }

  readonly #numbersOf = (vector: number): Int8Array => {
    const { buffer, byteOffset, length } = this.#statements.numbers.get(vector) as Buffer; // the column's type
    return new Int8Array(buffer, byteOffset, length);
  };

  #model(): { readonly id: number; readonly dimensions: number } | undefined {
    return this.#statements.model.get(this.#identity) as { id: number; dimensions: number } | undefined; // the query's columns
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array | Int8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Prepares each statement once. */
function prepare(database: Database) {
  const pluck = (sql: string): Statement => database.prepare(sql).pluck();
  return {
    model: database.prepare('select id, dimensions from model where identity = ?'),
    addModel: database.prepare('insert into model (identity, dimensions) values (?, ?) on conflict do nothing'),
    count: pluck('select count(*) from chunk join vector on vector.model = ? and vector.hash = chunk.hash'),
    missing: database.prepare(
      `select chunk.id, chunk.hash, file.title, chunk.path as headings, chunk.text from chunk join file on file.id = chunk.file
       where chunk.id > ? and not exists (select 1 from vector where vector.model = ? and vector.hash = chunk.hash)
       order by chunk.id limit ?`,
    ),
    add: database.prepare(
      'insert into vector (model, hash, norm, signs, numbers) values (?, ?, ?, ?, ?) on conflict do nothing',
    ),
    hashes: pluck('select hash from vector where model = ? and hash > ? order by hash limit ?'),
    vectors: database.prepare(
      'select hash, norm, signs, numbers from vector where model = ? and hash in (select value from json_each(?))',
    ),
    removeStale: database.prepare(
      'delete from vector where not exists (select 1 from chunk where chunk.hash = vector.hash)',
    ),
    removeOthers: database.prepare('delete from vector where model <> ?'),
    removeModels: database.prepare('delete from model where id <> ?'),
    coverage: database.prepare(
      `select model.identity, count(*) as chunks from model join vector on vector.model = model.id
       join chunk on chunk.hash = vector.hash where model.id <> ? group by model.id order by chunks desc limit 1`,
    ),
    all: database.prepare(scanned('vector.numbers')),
    signs: database.prepare(scanned('null')),
    numbers: pluck('select numbers from vector where id = ?'),
  };
}

function scanned(numbers: string): string {
  return `select chunk.id as chunk, chunk.audience, vector.id as vector, vector.norm, vector.signs, ${numbers} as numbers from chunk
    join vector on vector.model = ? and vector.hash = chunk.hash order by chunk.id`;
}
