import type { Database, Statement } from 'better-sqlite3';

/** A chunk with what is known of its document. */
export interface ChunkRow {
  readonly id: number;
  readonly audience: number;
  readonly headings: string;
  readonly page: number | null;
  readonly text: string;
  readonly file: string;
  readonly title: string;
  readonly url: string | null;
  readonly language: string;
  readonly metadata: string;
}

type StatementName = 'chunks' | 'languages' | 'audiences' | 'findAny' | 'findAllowed' | 'hasAny' | 'chunk';

/** The statements by what they return. */
export type SearchStatements = Readonly<Record<StatementName, Statement>>;

/** Words of the title count three times as much. */
const rank = 'bm25(words, 3.0, 1.0)';

/** Prepares the statements of a search once for an index. */
export function prepareSearch(database: Database): SearchStatements {
  const pluck = (sql: string): Statement => database.prepare(sql).pluck();
  return {
    chunks: pluck('select count(*) from chunk'),
    languages: pluck(
      'select language from file where fault is null group by language order by count(*) desc, language',
    ),
    audiences: database.prepare(
      'select id, rules, (select count(*) from chunk where chunk.audience = audience.id) as chunks from audience',
    ),
    findAny: pluck(`select rowid from words where words match ? order by ${rank}, rowid limit ?`),
    // The query itself leaves out hidden chunks, so they take no place among the results.
    findAllowed: pluck(
      `select words.rowid from words join chunk on chunk.id = words.rowid
       where words match ? and chunk.audience in (select value from json_each(?)) order by ${rank}, words.rowid limit ?`,
    ),
    // Numbers are bound as floating point numbers. Without the cast, the full-text table ignores such a condition on `rowid`.
    hasAny: pluck('select 1 from words where words match ? and rowid = cast(? as integer)'),
    chunk: database.prepare(
      `select chunk.id, chunk.audience, chunk.path as headings, chunk.page, chunk.text, file.path as file, file.title, file.url,
       file.language, file.metadata from chunk join file on file.id = chunk.file where chunk.id = ?`,
    ),
  };
}

/** A query for chunks with at least one of the tokens. Tokens hold letters, digits and marks alone, so nothing in them ends the quotes. */
export function anyOf(tokens: readonly string[]): string {
  return tokens.map((token) => `"${token}"`).join(' OR ');
}
