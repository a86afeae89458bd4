import type { Database } from 'better-sqlite3';
import { describeError } from '../../../../shared/describe-error.ts';
import type { VectorsState } from '../../files-source.ts';
import type { EmbedAnswer, LogLine, VectorRules } from '../../messages.ts';
import { embedChunks, EmbeddingFailed } from './embed-chunks.ts';
import { VectorStore } from './vector-store.ts';

/** What the vectors of a source need, and where they tell what becomes of them. */
interface VectorOutlets {
  /** Never rejects. */
  embed(texts: readonly string[]): Promise<EmbedAnswer>;
  log(line: LogLine): void;
  /** How far they are has changed. */
  changed(): void;
  /** The index could not be written. */
  failed(error: unknown): void;
}

/** While many are made, new ones are found after so many. Each time all of them are read into memory. */
const foundAfter = 1_000;
/** After how many milliseconds a model that has failed is asked again: at first, and at most. */
const againAfterMs = { first: 1_000, most: 600_000 } as const;

/** Gives the chunks of one index their vectors in the background. */
export class SourceVectors {
  readonly store: VectorStore;
  readonly rules: VectorRules;
  readonly #outlets: VectorOutlets;
  readonly #ending = new AbortController();
  /** Texts that the model gives no sound vector for. They are tried again by the next process. */
  readonly #refused = new Set<string>();
  #fault: string | undefined;
  #isWorking = false;
  #isToBeginAgain = false;
  #againMs: number = againAfterMs.first;
  #again: NodeJS.Timeout | undefined;
  #fresh = 0;
  #isMisfitTold = false;

  constructor(database: Database, rules: VectorRules, outlets: VectorOutlets) {
    this.rules = rules;
    this.#outlets = outlets;
    this.store = new VectorStore(database, rules.identity);
  }

  get state(): VectorsState {
    const chunks = this.store.count();
    return { model: this.rules.model, chunks, ...(this.#fault !== undefined && { fault: this.#fault }) };
  }

  /** Gives those chunks a vector that have none. One that fails is tried again later, whatever has changed meanwhile. */
  begin(): void {
    if (this.#isWorking) this.#isToBeginAgain = true;
    else if (this.#again === undefined) void this.#work();
  }

  /** Names a question's vector that cannot be compared with those of the documents, once. */
  look(vector: Float32Array | undefined): void {
    const { dimensions } = this.store;
    if (vector === undefined || dimensions === undefined || dimensions === vector.length || this.#isMisfitTold) return;
    this.#isMisfitTold = true;
    const fields = { model: this.rules.model, numbers: vector.length, inTheIndex: dimensions };
    const message = 'the vectors of questions are longer or shorter than those of documents: words alone count';
    this.#outlets.log({ level: 'warn', fields, message });
  }

  close(): void {
    this.#ending.abort(new Error('the index was closed'));
    clearTimeout(this.#again);
  }

  async #work(): Promise<void> {
    const { signal } = this.#ending;
    this.#isWorking = true;
    const { store } = this;
    const refused: string[] = [];
    try {
      await embedChunks(
        {
          store,
          embed: (texts) => this.#outlets.embed(texts),
          refused: this.#refused,
          written: (count) => this.#written(count),
          left: (reason) => refused.push(reason),
        },
        signal,
      );
      this.#succeeded(refused);
    } catch (error) {
      if (signal.aborted) return;
      this.#failed(error);
    }
    this.#isWorking = false;
    store.forget();
    this.#outlets.changed();
    if (this.#isToBeginAgain) {
      this.#isToBeginAgain = false;
      this.begin();
    }
  }

  #written(count: number): void {
    this.#fresh += count;
    if (this.#fresh >= foundAfter) {
      this.#fresh = 0;
      this.store.forget();
      this.#outlets.changed();
    }
  }

  #succeeded(refused: readonly string[]): void {
    this.#againMs = againAfterMs.first;
    if (this.#fault !== undefined) {
      const message = 'the embedding model gives vectors of documents again';
      this.#outlets.log({ level: 'info', fields: { model: this.rules.model }, message });
    }
    this.#fault = undefined;
    const [reason] = refused;
    if (reason === undefined) return;
    const fields = { model: this.rules.model, count: refused.length, reason };
    const message = 'parts of documents have no vector and are found by their words alone';
    this.#outlets.log({ level: 'warn', fields, message });
  }

  #failed(error: unknown): void {
    if (!(error instanceof EmbeddingFailed)) this.#outlets.failed(error);
    const reason = describeError(error);
    if (this.#fault === undefined) {
      const message = 'the embedding model gives no vectors: documents are found by their words alone';
      this.#outlets.log({ level: 'warn', fields: { model: this.rules.model, reason }, message });
    }
    this.#fault = reason;
    this.#again = setTimeout(() => {
      this.#again = undefined;
      this.begin();
    }, this.#againMs);
    this.#againMs = Math.min(2 * this.#againMs, againAfterMs.most);
  }
}
