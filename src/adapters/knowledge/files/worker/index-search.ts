import type { Database } from 'better-sqlite3';
import type { FoundDocument } from '../../../../core/ports/knowledge-source.ts';
import type { ExplainedChunk, ExplainedTerm, Explanation } from '../files-source.ts';
import type { FilesSourceSettings } from '../files-source-settings.ts';
import type { Answer, Question, QuestionVector, Reader, VectorRules } from '../messages.ts';
import type { Audience } from '../reader/messages.ts';
import { questionTerms } from '../../../shared/words/question-terms.ts';
import { audienceOf, mayRead } from './audience.ts';
import { fuseRanks } from '../../../../core/base/fuse-ranks.ts';
import {
  leastScoreOf,
  meaningScore,
  type Readable,
  scoreOf,
  tellingTerms,
  TermWeights,
  type WeighedTerm,
} from './question-scores.ts';
import { anyOf, type ChunkRow, prepareSearch, type SearchStatements } from './search-statements.ts';
import type { VectorStore } from './vectors/vector-store.ts';

interface ScoredChunk extends ChunkRow {
  readonly score: number;
  readonly words: number;
  /** Left out: the meaning does not count. */
  readonly cosine?: number;
}

/** The vectors through which chunks are found by their meaning. */
interface Meaning {
  readonly rules: VectorRules;
  /** The vectors that a question's vector can be compared with. Undefined: there are none. */
  storeFor(vector: QuestionVector): VectorStore | undefined;
  /** To be called after chunks have changed. */
  forget(): void;
}

/** A question's vector, and the vectors that it is compared with. */
interface Comparison {
  readonly model: string;
  readonly vector: Float32Array;
  readonly store: VectorStore;
  readonly minCosine: number;
}

const mostResults = 50;
const mostExplained = 20;
/** The most chunks of each list that is joined. Chunks further down a list are no good answers. */
const mostFused = { words: 20, meaning: 50 } as const;

/** With fewer chunks, most terms stand in every second chunk, and bm25 hardly tells them apart. The score ranks them then. */
const fewChunks = 100;

/** Facts about the index that every search needs. Only a change of the index changes them. */
interface Overview {
  readonly chunks: number;
  /** The most frequent language first. */
  readonly languages: readonly string[];
  readonly audiences: readonly { readonly id: number; readonly audience: Audience; readonly chunks: number }[];
}

interface Search {
  readonly terms: readonly WeighedTerm[];
  /**
   * The terms of the keywords. Their score is computed without the question's terms, because an answer need not hold the words of the
   * question.
   */
  readonly keywords: readonly WeighedTerm[];
  /** The terms that chunks are ranked by. */
  readonly telling: readonly WeighedTerm[];
  readonly readable: Readable;
  /** The least score at which a chunk is found. */
  readonly threshold: number;
  /** Undefined: the meaning does not count. */
  readonly compared: Comparison | undefined;
}

/** Finds chunks of one index. A chunk that the reader may not read takes no place among the results. */
export class IndexSearch {
  readonly #settings: FilesSourceSettings;
  readonly #statements: SearchStatements;
  readonly #weights: TermWeights;
  #meaning: Meaning | undefined;
  #overview: Overview | undefined;

  constructor(database: Database, settings: FilesSourceSettings, meaning?: Meaning) {
    this.#settings = settings;
    this.#statements = prepareSearch(database);
    this.#weights = new TermWeights(database);
    this.#meaning = meaning;
  }

  /** From now on chunks are found through these vectors too. Undefined: they are found by words alone. */
  findBy(meaning: Meaning | undefined): void {
    this.#meaning = meaning;
  }

  /** The languages of the documents, the most frequent one first. */
  get languages(): readonly string[] {
    return this.#look().languages;
  }

  /** To be called after the index has changed. */
  forget(): void {
    this.#overview = undefined;
    this.#weights.forget();
    this.#meaning?.forget();
  }

  /** @throws Error of SQLite. */
  answer(question: Question): Answer {
    const allowed = this.#allowed(question.reader);
    const readable = this.#readable(allowed);
    const termsIn = (text: string): readonly WeighedTerm[] =>
      this.#weights.weigh(questionTerms(text, this.#look().languages), readable);
    const terms = termsIn(question.query);
    const keywords = termsIn(question.keywords ?? '');
    const threshold = leastScoreOf([...terms, ...keywords]);
    const compared = this.#comparisonOf(question.vector);
    if (question.kind === 'explain') {
      return { kind: 'explained', explanation: this.#explain(allowed, { terms, keywords, threshold, compared }) };
    }
    const count = Math.max(1, Math.min(mostResults, question.maxResults));
    const telling = tellingTerms([...terms, ...keywords], readable.chunks);
    const found = this.#find({ terms, keywords, telling, readable, threshold, compared }, count);
    return { kind: 'found', documents: found.map((chunk) => this.#documentOf(chunk)), defaultMinScore: threshold };
  }

  #comparisonOf(vector: QuestionVector | undefined): Comparison | undefined {
    if (vector === undefined || this.#meaning === undefined) return undefined;
    const store = this.#meaning.storeFor(vector);
    const { minCosine } = this.#meaning.rules;
    return store === undefined ? undefined : { model: vector.model, vector: vector.numbers, store, minCosine };
  }

  #explain(
    allowed: readonly number[],
    { terms, keywords, threshold, compared }: Pick<Search, 'terms' | 'keywords' | 'threshold' | 'compared'>,
  ): Explanation {
    const readable: Readable = { chunks: this.#look().chunks, audiences: null };
    // Words that stand only in hidden chunks must find these chunks here, so the terms for the ranking are chosen among all chunks. The
    // weights in the score remain those of the caller.
    const telling = tellingTerms(this.#weights.weigh([...terms, ...keywords], readable), readable.chunks);
    const outcomeOf = ({ audience, score }: ScoredChunk): ExplainedChunk['outcome'] => {
      if (!allowed.includes(audience)) return 'hidden';
      return score < threshold ? 'below-threshold' : 'found';
    };
    return {
      terms: terms.map(explained),
      keywords: keywords.map(explained),
      threshold,
      ...(compared !== undefined && { meaning: { model: compared.model, minCosine: compared.minCosine } }),
      found: this.#find({ terms, keywords, telling, readable, threshold, compared }, mostExplained).map((chunk) => ({
        file: chunk.file,
        title: titleOf(chunk),
        score: chunk.score,
        words: chunk.words,
        ...(chunk.cosine !== undefined && { cosine: chunk.cosine }),
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

  #find(search: Search, count: number): readonly ScoredChunk[] {
    const { compared } = search;
    return compared === undefined ? this.#findByWords(search, count) : this.#findByBoth(search, compared, count);
  }

  /** Chunks that are near enough neither by words nor by meaning come last. */
  #findByBoth(search: Search, { vector, store, minCosine }: Comparison, count: number): readonly ScoredChunk[] {
    const { threshold, readable } = search;
    const near = store.nearest(vector, { ...readable, minCosine, most: mostFused.meaning });
    const cosines = new Map(near.map(({ chunk, cosine }) => [chunk, cosine]));
    const scoredOf = this.#scoring(search);
    const byWords = this.#rankedByWords(search, { count: mostFused.words, scoredOf });
    const [found, others]: [number[], number[]] = [[], []];
    for (const id of fuseRanks([byWords, [...cosines.keys()]])) {
      // Looking up the words of a chunk costs more than all other work here, so the loop ends early.
      if (found.length >= count) break;
      (cosines.has(id) || scoredOf(id).words >= threshold ? found : others).push(id);
    }
    return [...found, ...others].slice(0, count).map((id) => {
      const chunk = scoredOf(id);
      const cosine = cosines.get(id) ?? store.cosine(vector, id);
      if (cosine === undefined) return chunk;
      return { ...chunk, cosine, score: Math.max(chunk.words, meaningScore(cosine, { minCosine, threshold })) };
    });
  }

  #findByWords(search: Search, count: number): readonly ScoredChunk[] {
    const scoredOf = this.#scoring(search);
    return this.#rankedByWords(search, { count, scoredOf }).map(scoredOf);
  }

  /** The ids of chunks, in the order in which their words fit the question, the best first. */
  #rankedByWords(
    { telling, readable: { chunks, audiences } }: Search,
    { count, scoredOf }: { readonly count: number; readonly scoredOf: (id: number) => ScoredChunk },
  ): readonly number[] {
    if (telling.length === 0 || chunks === 0) return [];
    const isSmall = chunks < fewChunks;
    const query = anyOf(telling.flatMap(({ variants }) => variants));
    const most = isSmall ? mostResults : count;
    const ids: readonly number[] = (
      audiences === null
        ? this.#statements.findAny.all(query, most)
        : this.#statements.findAllowed.all(query, JSON.stringify(audiences), most)
    ).map(Number);
    if (!isSmall) return ids;
    return ids.toSorted((one, other) => scoredOf(other).words - scoredOf(one).words).slice(0, count);
  }

  /** Returns a function that computes the score of each chunk only once. */
  #scoring(search: Search): (id: number) => ScoredChunk {
    const scored = new Map<number, ScoredChunk>();
    return (id) => {
      const chunk = scored.get(id) ?? this.#scored(id, search);
      scored.set(id, chunk);
      return chunk;
    };
  }

  #scored(id: number, { terms, keywords }: Search): ScoredChunk {
    const row = this.#statements.chunk.get(id) as ChunkRow; // the columns are those of the query
    const isFound = ({ variants }: WeighedTerm): boolean =>
      this.#statements.hasAny.get(anyOf(variants), id) !== undefined;
    const words = Math.max(scoreOf(terms, isFound), scoreOf(keywords, isFound));
    return { ...row, score: words, words };
  }

  #documentOf(chunk: ScoredChunk): FoundDocument {
    const { audience, page, text, score } = chunk;
    const known = JSON.parse(chunk.metadata) as Record<string, string>; // index-writer.ts has written this text
    const metadata = page === null ? known : { ...known, page: String(page) };
    const { roles = [], tenants = [] } = this.#look().audiences.find(({ id }) => id === audience)?.audience ?? {};
    const groups = [
      ...roles.map((requiredRoles) => ({ requiredRoles })),
      ...tenants.map((globs) => ({ tenants: globs })),
    ];
    const sourceUrl = this.#urlOf(chunk);
    return {
      content: text,
      title: titleOf(chunk),
      score,
      ...(sourceUrl !== undefined && { sourceUrl }),
      ...(Object.keys(metadata).length > 0 && { metadata }),
      // A folder, its folders and the document itself may each name roles and tenants: a reader must fit every group.
      ...(groups.length > 0 && { restrictions: groups }),
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

function explained({ variants, chunks, weight }: WeighedTerm): ExplainedTerm {
  return { variants, chunks, weight };
}

function titleOf({ title, headings }: ChunkRow): string {
  return headings === '' ? title : `${title} › ${headings}`;
}
