import type { Database, Statement } from 'better-sqlite3';
import type { ReadDocument } from '../reader/messages.ts';
import { audienceText } from './audience.ts';
import { textHash } from './vectors/chunk-text.ts';

/** What the index knows of a file. */
export interface KnownFile {
  readonly id: number;
  readonly path: string;
  readonly stamp: string;
  readonly hash: string;
  readonly fault: string | null;
}

/** A change of one file in the index. */
export type FileChange =
  | { readonly kind: 'remove'; readonly path: string }
  /** The content is the same, but the file has another stamp. */
  | { readonly kind: 'touch'; readonly path: string; readonly stamp: string }
  | {
      readonly kind: 'store';
      readonly path: string;
      readonly stamp: string;
      readonly hash: string;
      readonly document: ReadDocument;
    }
  | {
      readonly kind: 'leave-out';
      readonly path: string;
      readonly stamp: string;
      readonly hash: string;
      readonly fault: string;
      readonly isCost: boolean;
    };

/** Writes documents into an index. The index holds a document as a whole or not at all. */
export class IndexWriter {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = prepare(database);
  }

  /** Makes all changes or none. @throws Error of SQLite. */
  write(changes: readonly FileChange[]): void {
    this.#database.transaction(() => {
      for (const change of changes) this.#apply(change);
    })();
  }

  /** All files of the index, by their path. */
  known(): Map<string, KnownFile> {
    const rows = this.#statements.allFiles.all() as KnownFile[]; // the columns are those of the query
    return new Map(rows.map((row) => [row.path, row]));
  }

  /** Has files tried again that cost too much before. */
  retryCostly(): void {
    this.#statements.forgetCostly.run();
  }

  /** Has `tidy` join all parts of the index. A lookup searches each part, so a joined index is searched in half the time. */
  joinAll(): void {
    this.#statements.joinAll.run();
  }

  /** Joins some of the parts that many small changes have left. Returns false when nothing is left to join. */
  tidy(): boolean {
    const before = this.#changes();
    this.#statements.merge.run();
    return this.#changes() - before >= 2;
  }

  #changes(): number {
    return Number(this.#statements.totalChanges.get());
  }

  #apply(change: FileChange): void {
    const { path } = change;
    if (change.kind === 'touch') {
      this.#statements.touch.run(change.stamp, path);
      return;
    }
    const id: unknown = this.#statements.fileId.get(path);
    if (typeof id === 'number') this.#remove(id);
    if (change.kind === 'store') this.#store(change);
    else if (change.kind === 'leave-out') {
      this.#statements.addFault.run(path, change.stamp, change.hash, change.fault, change.isCost ? 1 : 0);
    }
  }

  #remove(file: number): void {
    this.#statements.removeWords.run(file);
    this.#statements.removeChunks.run(file);
    this.#statements.removeFile.run(file);
  }

  #store({ path, stamp, hash, document }: FileChange & { readonly kind: 'store' }): void {
    const { title, url, language, metadata, chunks } = document;
    const { addFile, addAudience, audienceId, addChunk, addWords } = this.#statements;
    const file = addFile.run(path, stamp, hash, title, url, language, JSON.stringify(metadata)).lastInsertRowid;
    const rules = audienceText(document.audience);
    addAudience.run(rules);
    const audience = audienceId.get(rules);
    for (const { path: headings, page, text, titleTokens, bodyTokens } of chunks) {
      const { lastInsertRowid } = addChunk.run(
        file,
        audience,
        headings,
        page,
        text,
        textHash({ title, headings, text }),
      );
      addWords.run(lastInsertRowid, titleTokens, bodyTokens);
    }
  }
}

/** Prepares each statement once. */
function prepare(database: Database) {
  const pluck = (sql: string): Statement => database.prepare(sql).pluck();
  return {
    allFiles: database.prepare('select id, path, stamp, hash, fault from file'),
    fileId: pluck('select id from file where path = ?'),
    touch: database.prepare('update file set stamp = ? where path = ?'),
    forgetCostly: database.prepare("update file set stamp = '', hash = '' where is_cost = 1"),
    removeWords: database.prepare('delete from words where rowid in (select id from chunk where file = ?)'),
    removeChunks: database.prepare('delete from chunk where file = ?'),
    removeFile: database.prepare('delete from file where id = ?'),
    addFault: database.prepare('insert into file (path, stamp, hash, fault, is_cost) values (?, ?, ?, ?, ?)'),
    addFile: database.prepare(
      'insert into file (path, stamp, hash, title, url, language, metadata) values (?, ?, ?, ?, ?, ?, ?)',
    ),
    addAudience: database.prepare('insert into audience (rules) values (?) on conflict do nothing'),
    audienceId: pluck('select id from audience where rules = ?'),
    addChunk: database.prepare('insert into chunk (file, audience, path, page, text, hash) values (?, ?, ?, ?, ?, ?)'),
    addWords: database.prepare('insert into words (rowid, title, body) values (?, ?, ?)'),
    merge: database.prepare("insert into words (words, rank) values ('merge', 100)"),
    // A negative number of pages begins with all parts, as `optimize` does in one go.
    joinAll: database.prepare("insert into words (words, rank) values ('merge', -100)"),
    totalChanges: pluck('select total_changes()'),
  };
}
