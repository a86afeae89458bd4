import type { Database } from 'better-sqlite3';
import type { FileFault, FilesSourceState } from '../files-source.ts';
import type { Answer, LogLine, MakeCall, OpenSource, Question, VectorRules } from '../messages.ts';
import type { FoundFiles } from './find-files.ts';
import { IndexSearch } from './index-search.ts';
import { isDamage, openIndex } from './index-database.ts';
import { IndexWriter } from './index-writer.ts';
import { ReaderProcess } from './reader-process.ts';
import { updateIndex } from './update-index.ts';
import { SourceVectors } from './vectors/source-vectors.ts';

/** What a source needs of its thread, and where it reports. */
export interface SourceOutlets {
  state(state: FilesSourceState): void;
  log(line: LogLine): void;
  /**
   * Runs work after all work that was given before. Folders are looked through one after the other, so that only one process reads files.
   */
  inTurn(work: () => Promise<void>): Promise<void>;
  readonly call: MakeCall;
}

interface OpenIndex {
  readonly database: Database;
  readonly writer: IndexWriter;
  readonly search: IndexSearch;
  /** Undefined: the source has no model for vectors. */
  vectors: SourceVectors | undefined;
}

const mostFaultsShown = 100;
const mostLinesAtOnce = 50;
const mostPassedOverLogged = 20;
const longestNames = 2_000;

/** One folder and its index, in the thread of the indexes. */
export class IndexedSource {
  readonly #order: OpenSource;
  #rules: VectorRules | undefined;
  readonly #outlets: SourceOutlets;
  readonly #reader = new ReaderProcess();
  readonly #ending = new AbortController();
  #index: OpenIndex | undefined;
  #phase: FilesSourceState['phase'] = 'indexing';
  #timer: NodeJS.Timeout | undefined;
  /** What the last look through the folder did not take: faults, and files of kinds that are not read. */
  #notTaken: Omit<FoundFiles, 'files'> = { faults: [], passedOver: { count: 0, files: [] } };
  #failure: FileFault | undefined;
  #told = new Set<string>();
  #toldPassedOver = '';
  #isUpdating = false;
  /** The damage for which the index was closed. The next opening puts that index aside. */
  #damage: string | undefined;

  constructor(order: OpenSource, outlets: SourceOutlets) {
    this.#order = order;
    this.#rules = order.vectors;
    this.#outlets = outlets;
  }

  /** Opens the index and begins to bring it up to date. */
  start(): void {
    void this.#update();
  }

  /** @throws Error when the index cannot be read. */
  answer(question: Question): Answer {
    try {
      const { search, vectors } = this.#opened();
      if (question.vector !== undefined) vectors?.look(question.vector);
      return search.answer(question);
    } catch (error) {
      this.#distrust(error);
      throw error;
    }
  }

  /** Changes to the vectors of another model, or to none. */
  embedBy(rules: VectorRules | undefined): void {
    this.#rules = rules;
    const index = this.#index;
    if (index === undefined) return;
    index.vectors?.close();
    index.vectors = this.#vectorsOf(index.database);
    index.search.findBy(index.vectors);
    try {
      this.#tell();
    } catch (error) {
      this.#distrust(error);
    }
    // An update that is under way begins the vectors at its end.
    if (!this.#isUpdating) this.#index?.vectors?.begin();
  }

  close(): void {
    this.#ending.abort(new Error('the source was closed'));
    clearTimeout(this.#timer);
    void this.#reader.end();
    this.#closeIndex();
  }

  #closeIndex(): void {
    this.#index?.vectors?.close();
    this.#index?.database.close();
    this.#index = undefined;
  }

  async #update(): Promise<void> {
    const { signal } = this.#ending;
    this.#isUpdating = true;
    try {
      // Searches find what is in the index already, while this source waits for its turn.
      this.#opened();
      this.#tell();
      await this.#outlets.inTurn(() => this.#lookThrough(signal));
      this.#failure = undefined;
      this.#phase = 'ready';
    } catch (error) {
      if (signal.aborted) return;
      this.#failed(error);
    }
    // Whoever is told of a fault finds it in the log.
    this.#logFaults();
    this.#logPassedOver();
    this.#tell();
    this.#index?.vectors?.begin();
    this.#isUpdating = false;
    this.#updateIn(this.#damage === undefined ? this.#order.settings.refreshMs : 0);
  }

  async #lookThrough(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { writer, search } = this.#opened();
    const changed = (): void => {
      search.forget();
      this.#tell();
    };
    const { settings } = this.#order;
    const parts = { settings, writer, reader: this.#reader, changed, countChunks: () => this.#count('chunk') };
    try {
      this.#notTaken = await updateIndex(parts, signal);
    } finally {
      await this.#reader.end();
    }
  }

  #updateIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#update(), milliseconds);
  }

  #failed(error: unknown): void {
    this.#distrust(error);
    this.#phase = 'failed';
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const words = error instanceof Error ? error.message : String(error);
    const reason = code.startsWith('E') ? `cannot be read (${code})` : `cannot be indexed: ${words}`.slice(0, 300);
    this.#failure = { file: '.', reason };
  }

  #opened(): OpenIndex {
    if (this.#index !== undefined) return this.#index;
    const { settings, indexFile } = this.#order;
    const { database, damage, putAside } = openIndex(indexFile, settings.language, this.#damage);
    this.#damage = undefined;
    if (damage !== undefined) {
      const fields = { file: indexFile ?? '', reason: damage, putAside: putAside ?? '' };
      this.#outlets.log({ level: 'error', fields, message: 'the index of documents is damaged: it is made anew' });
    }
    const vectors = this.#vectorsOf(database);
    const search = new IndexSearch(database, settings, vectors);
    this.#index = { database, writer: new IndexWriter(database), search, vectors };
    this.#index.writer.retryCostly();
    return this.#index;
  }

  #vectorsOf(database: Database): SourceVectors | undefined {
    const rules = this.#rules;
    if (rules === undefined) return undefined;
    return new SourceVectors(database, rules, {
      call: this.#outlets.call,
      log: (line) => this.#outlets.log(line),
      changed: () => this.#tell(),
      failed: (error) => this.#distrust(error),
    });
  }

  /** Closes an index that turns out to be damaged. Opening it again puts it aside. */
  #distrust(error: unknown): void {
    if (!isDamage(error) || this.#index === undefined) return;
    this.#closeIndex();
    this.#damage = error.message;
    if (!this.#isUpdating) this.#updateIn(0);
  }

  #tell(): void {
    const faults = this.#faults();
    const vectors = this.#index?.vectors?.state;
    this.#outlets.state({
      ...(vectors !== undefined && { vectors }),
      phase: this.#phase,
      documents: this.#count('document'),
      chunks: this.#count('chunk'),
      languages: this.#index?.search.languages ?? [],
      faults: faults.slice(0, mostFaultsShown),
      faultCount: faults.length,
      passedOver: this.#notTaken.passedOver,
    });
  }

  #count(what: 'document' | 'chunk'): number {
    if (this.#index === undefined) return 0;
    const sql = what === 'chunk' ? 'select count(*) from chunk' : 'select count(*) from file where fault is null';
    return Number(this.#index.database.prepare(sql).pluck().get());
  }

  #faults(): readonly FileFault[] {
    const sql = 'select path as file, fault as reason from file where fault is not null order by path';
    const read = (this.#index?.database.prepare(sql).all() ?? []) as FileFault[]; // the columns are those of the query
    return [...(this.#failure === undefined ? [] : [this.#failure]), ...this.#notTaken.faults, ...read];
  }

  /** Logs the files that are passed over, in one line, and again only when there are others. */
  #logPassedOver(): void {
    const { count, files } = this.#notTaken.passedOver;
    const named = files.slice(0, mostPassedOverLogged).map(({ file }) => file);
    const line = `${String(count)} ${named.join(', ')}`;
    if (count === 0 || line === this.#toldPassedOver) return;
    this.#toldPassedOver = line;
    const fields = { count, files: named.join(', ').slice(0, longestNames) };
    this.#outlets.log({ level: 'info', fields, message: 'files of kinds that are not read are passed over' });
  }

  /** Logs each fault once, and again only after it has been gone. */
  #logFaults(): void {
    const faults = this.#faults();
    const keyOf = ({ file, reason }: FileFault): string => JSON.stringify([file, reason]);
    const fresh = faults.filter((fault) => !this.#told.has(keyOf(fault)));
    this.#told = new Set(faults.map(keyOf));
    for (const { file, reason } of fresh.slice(0, mostLinesAtOnce)) {
      const message = file === '.' ? 'a folder of documents has a fault' : 'a document is left out';
      this.#outlets.log({ level: 'warn', fields: { file, reason }, message });
    }
    const more = fresh.length - mostLinesAtOnce;
    if (more > 0) this.#outlets.log({ level: 'warn', fields: { count: more }, message: 'more documents are left out' });
  }
}
