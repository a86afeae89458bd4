import type { Database, Statement } from 'better-sqlite3';
import type { FoundDocument } from '../../../../core/ports/knowledge-source.ts';
import type { ExplainedChunk, Explanation } from '../files-source.ts';
import type { FilesSourceSettings } from '../files-source-settings.ts';
import type { Answer, Question, Reader } from '../messages.ts';
import type { Audience } from '../reader/messages.ts';
import { questionTerms } from '../words/question-terms.ts';
import { audienceOf, mayRead } from './audience.ts';
import {
  leastScoreOf,
  type Readable,
  scoreOf,
  tellingTerms,
  TermWeights,
  type WeighedTerm,
} from './question-scores.ts';

/** A chunk with what is known of its document. */
interface ChunkRow {
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

interface ScoredChunk extends ChunkRow {
  readonly score: number;
}

const mostResults = 50;
const mostExplained = 20;

/** Below so many chunks bm25 hardly tells them apart: most terms are in every second one. The score goes first there. */
const fewChunks = 100;

/** What of the index every search needs. It changes with the index alone. */
interface Overview {
  readonly chunks: number;
  /** The most frequent one first. */
  readonly languages: readonly string[];
  readonly audiences: readonly { readonly id: number; readonly audience: Audience; readonly chunks: number }[];
}

interface Search {
  readonly terms: readonly WeighedTerm[];
  /** Those that chunks are ranked by. */
  readonly telling: readonly WeighedTerm[];
  readonly readable: Readable;
}

/** Finds chunks of one index. Who may not read a chunk does not take a place among the results either. */
export class IndexSearch {
  readonly #settings: FilesSourceSettings;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #weights: TermWeights;
  #overview: Overview | undefined;

  constructor(database: Database, settings: FilesSourceSettings) {
    this.#settings = settings;
    this.#statements = prepare(database);
    this.#weights = new TermWeights(database);
  }

  /** The index has changed. */
  forget(): void {
    this.#overview = undefined;
    this.#weights.forget();
  }

  /** @throws Error of SQLite. */
  answer(question: Question): Answer {
    const allowed = this.#allowed(question.reader);
    const readable = this.#readable(allowed);
    const terms = this.#weights.weigh(questionTerms(question.query, this.#look().languages), readable);
    const defaultMinScore = leastScoreOf(terms);
    if (question.kind === 'explain') {
      return { kind: 'explained', explanation: this.#explain(allowed, { terms, threshold: defaultMinScore }) };
    }
    const count = Math.max(1, Math.min(mostResults, question.maxResults));
    const found = this.#find({ terms, telling: tellingTerms(terms, readable.chunks), readable }, count);
    return { kind: 'found', documents: found.map((chunk) => this.#documentOf(chunk)), defaultMinScore };
  }

  #explain(
    allowed: readonly number[],
    { terms, threshold }: { readonly terms: readonly WeighedTerm[]; readonly threshold: number },
  ): Explanation {
    const readable: Readable = { chunks: this.#look().chunks, audiences: null };
    // Words that only hidden chunks have find those, though they are worth what they are worth to the caller.
    const telling = tellingTerms(this.#weights.weigh(terms, readable), readable.chunks);
    const outcomeOf = ({ audience, score }: ScoredChunk): ExplainedChunk['outcome'] => {
      if (!allowed.includes(audience)) return 'hidden';
      return score < threshold ? 'below-threshold' : 'found';
    };
    return {
      terms: terms.map(({ variants, chunks, weight }) => ({ variants, chunks, weight })),
      threshold,
      found: this.#find({ terms, telling, readable }, mostExplained).map((chunk) => ({
        file: chunk.file,
        title: titleOf(chunk),
        score: chunk.score,
        outcome: outcomeOf(chunk),
      })),
    };
  }

  /** The ids of the audiences that somebody belongs to. */
  #allowed(reader: Reader): readonly number[] {
    const { requiredRoles, tenants = [] } = this.#settings;
    const ofSource = {
      roles: requiredRoles.length === 0 ? [] : [requiredRoles],
      tenants: tenants.length === 0 ? [] : [tenants],
    };
    if (!mayRead(ofSource, reader)) return [];
    return this.#look()
      .audiences.filter(({ audience }) => mayRead(audience, reader))
      .map(({ id }) => id);
  }

  #readable(allowed: readonly number[]): Readable {
    const audiences = this.#look().audiences.filter(({ id }) => allowed.includes(id));
    const chunks = audiences.reduce((sum, audience) => sum + audience.chunks, 0);
    return { chunks, audiences: chunks === this.#look().chunks ? null : allowed };
  }

  #find({ terms, telling, readable: { chunks, audiences } }: Search, count: number): readonly ScoredChunk[] {
    if (telling.length === 0 || chunks === 0) return [];
    const isSmall = chunks < fewChunks;
    const query = anyOf(telling.flatMap(({ variants }) => variants));
    const most = isSmall ? mostResults : count;
    const ids: readonly unknown[] =
      audiences === null
        ? this.#statements.findAny.all(query, most)
        : this.#statements.findAllowed.all(query, JSON.stringify(audiences), most);
    const scored = ids.map((id) => this.#scored(id, terms));
    if (isSmall) scored.sort((one, other) => other.score - one.score);
    return scored.slice(0, count);
  }

  #scored(id: unknown, terms: readonly WeighedTerm[]): ScoredChunk {
    const row = this.#statements.chunk.get(id) as ChunkRow; // the columns are those of the query
    const isFound = ({ variants }: WeighedTerm): boolean =>
      this.#statements.hasAny.get(anyOf(variants), id) !== undefined;
    return { ...row, score: scoreOf(terms, isFound) };
  }

  #documentOf(chunk: ScoredChunk): FoundDocument {
    const { audience, page, text, score } = chunk;
    const known = JSON.parse(chunk.metadata) as Record<string, string>; // index-writer.ts has written it
    const metadata = page === null ? known : { ...known, page: String(page) };
    const { roles = [], tenants = [] } = this.#look().audiences.find(({ id }) => id === audience)?.audience ?? {};
    const sourceUrl = this.#urlOf(chunk);
    return {
      content: text,
      title: titleOf(chunk),
      score,
      ...(sourceUrl !== undefined && { sourceUrl }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      // The caller fits all groups. Whoever looks again looks at one of them.
      ...(roles.length > 0 && { requiredRoles: roles.at(-1) ?? [] }),
      ...(tenants.length > 0 && { tenants: tenants.at(-1) ?? [] }),
    };
  }

  #urlOf({ url, file, page }: ChunkRow): string | undefined {
    const { urlPrefix } = this.#settings;
    if (url === null && urlPrefix === undefined) return undefined;
    const prefix = urlPrefix ?? '';
    const address =
      url ?? `${prefix}${/[/=#]$/.test(prefix) ? '' : '/'}${file.split('/').map(encodeURIComponent).join('/')}`;
    return page === null || address.includes('#') ? address : `${address}#page=${String(page)}`;
  }

  #look(): Overview {
    this.#overview ??= {
      chunks: Number(this.#statements.chunks.get()),
      languages: this.#statements.languages.all().map(String),
      audiences: (this.#statements.audiences.all() as { id: number; rules: string; chunks: number }[]) // the query's columns
        .map(({ id, rules, chunks }) => ({ id, chunks, audience: audienceOf(rules) })),
    };
    return this.#overview;
  }
}

function titleOf({ title, headings }: ChunkRow): string {
  return headings === '' ? title : `${title} › ${headings}`;
}

/** Tokens hold letters, digits and marks alone, so nothing in them ends the quotes. */
function anyOf(tokens: readonly string[]): string {
  return tokens.map((token) => `"${token}"`).join(' OR ');
}

/** Words of the title count three times as much. */
const rank = 'bm25(words, 3.0, 1.0)';

/** Prepared once. */
function prepare(database: Database) {
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
    // Who may read is part of the search: what is hidden takes no place.
    findAllowed: pluck(
      `select words.rowid from words join chunk on chunk.id = words.rowid
       where words match ? and chunk.audience in (select value from json_each(?)) order by ${rank}, words.rowid limit ?`,
    ),
    // Numbers are bound as floating point ones, which the full-text table takes for no limit at all.
    hasAny: pluck('select 1 from words where words match ? and rowid = cast(? as integer)'),
    chunk: database.prepare(
      `select chunk.id, chunk.audience, chunk.path as headings, chunk.page, chunk.text, file.path as file, file.title, file.url,
       file.language, file.metadata from chunk join file on file.id = chunk.file where chunk.id = ?`,
    ),
  };
}
