import type { Database } from 'better-sqlite3';
import { describeError } from '../../../../shared/describe-error.ts';
import type { VectorsState } from '../../files-source.ts';
import type { EmbedAnswer, LogLine, QuestionVector, VectorRules } from '../../messages.ts';
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

/** Vectors of an earlier model, which questions are answered with until all chunks have new ones. */
interface EarlierVectors {
  readonly identity: string;
  readonly store: VectorStore;
}

/** While many are made, new ones are found after so many. Each time all of them are read into memory. */
const foundAfter = 1_000;
/** After how many milliseconds a model that has failed is asked again: at first, and at most. */
const againAfterMs = { first: 1_000, most: 600_000 } as const;

/** Gives the chunks of one index their vectors in the background. */
export class SourceVectors {
  readonly rules: VectorRules;
  readonly #database: Database;
  readonly #store: VectorStore;
  readonly #outlets: VectorOutlets;
  readonly #ending = new AbortController();
  /** Texts that the model gives no sound vector for. They are tried again by the next process. */
  readonly #refused = new Set<string>();
  #found: EarlierVectors | 'none' | undefined;
  #fault: string | undefined;
  #isWorking = false;
  #isToBeginAgain = false;
  #againMs: number = againAfterMs.first;
  #again: NodeJS.Timeout | undefined;
  #removal: NodeJS.Timeout | undefined;
  #fresh = 0;
  #isMisfitTold = false;

  constructor(database: Database, rules: VectorRules, outlets: VectorOutlets) {
    this.rules = rules;
    this.#outlets = outlets;
    this.#database = database;
    this.#store = new VectorStore(database, rules.identity);
  }

  /** Looked for when it is first needed, for that reads the index, which may turn out to be damaged. @throws Error of SQLite. */
  get #earlier(): EarlierVectors | undefined {
    if (this.#found === undefined) {
      const identity = this.#store.fuller();
      this.#found = identity === undefined ? 'none' : { identity, store: new VectorStore(this.#database, identity) };
    }
    return this.#found === 'none' ? undefined : this.#found;
  }

  get state(): VectorsState {
    const { model, identity } = this.rules;
    return {
      model,
      identity,
      chunks: this.#store.count(),
      ...(this.#earlier !== undefined && this.#removal === undefined && { earlier: this.#earlier.identity }),
      ...(this.#fault !== undefined && { fault: this.#fault }),
    };
  }

  /** Chunks, or their vectors, have changed. */
  forget(): void {
    this.#store.forget();
    this.#earlier?.store.forget();
  }

  /** The vectors that a question's can be compared with; undefined: there are none. */
  storeFor({ identity, numbers }: QuestionVector): VectorStore | undefined {
    const store = identity === this.rules.identity ? this.#store : this.#earlierStore(identity);
    return store?.dimensions === numbers.length ? store : undefined;
  }

  /** Gives those chunks a vector that have none. One that fails is tried again later, whatever has changed meanwhile. */
  begin(): void {
    if (this.#isWorking) this.#isToBeginAgain = true;
    else if (this.#again === undefined) void this.#work();
  }

  /** Names a question's vector that cannot be compared with those of the documents, once. */
  look({ identity, numbers }: QuestionVector): void {
    const { dimensions } = this.#store;
    if (identity !== this.rules.identity || dimensions === undefined) return;
    if (dimensions === numbers.length || this.#isMisfitTold) return;
    this.#isMisfitTold = true;
    const fields = { model: this.rules.model, numbers: numbers.length, inTheIndex: dimensions };
    const message = 'the vectors of questions are longer or shorter than those of documents: words alone count';
    this.#outlets.log({ level: 'warn', fields, message });
  }

  close(): void {
    this.#ending.abort(new Error('the index was closed'));
    clearTimeout(this.#again);
    clearTimeout(this.#removal);
  }

  #earlierStore(identity: string): VectorStore | undefined {
    return this.#earlier?.identity === identity ? this.#earlier.store : undefined;
  }

  async #work(): Promise<void> {
    const { signal } = this.#ending;
    this.#isWorking = true;
    const refused: string[] = [];
    try {
      await embedChunks(
        {
          store: this.#store,
          embed: (texts) => this.#outlets.embed(texts),
          refused: this.#refused,
          written: (count) => this.#written(count),
          left: (reason) => refused.push(reason),
        },
        signal,
      );
      this.#store.forget();
      this.#replaceEarlier();
      this.#succeeded(refused);
    } catch (error) {
      if (signal.aborted) return;
      this.#failed(error);
    }
    this.#isWorking = false;
    this.#store.forget();
    this.#outlets.changed();
    if (this.#isToBeginAgain) {
      this.#isToBeginAgain = false;
      this.begin();
    }
  }

  /**
   * All chunks have their vector: from now on questions are asked by the new model. Those that are under way have the vector of the
   * earlier one, and find what it is compared with until they are over.
   */
  #replaceEarlier(): void {
    if (this.#removal !== undefined) return;
    if (this.#earlier === undefined) {
      this.#store.removeOthers();
      return;
    }
    const { model } = this.rules;
    this.#outlets.log({
      level: 'info',
      fields: { model },
      message: 'documents have their vectors by another model now',
    });
    this.#removal = setTimeout(() => this.#removeEarlier(), this.rules.searchMs);
  }

  #removeEarlier(): void {
    this.#removal = undefined;
    this.#found = 'none';
    try {
      this.#store.removeOthers();
    } catch (error) {
      // They are deleted the next time.
      this.#outlets.failed(error);
    }
  }

  #written(count: number): void {
    this.#fresh += count;
    if (this.#fresh >= foundAfter) {
      this.#fresh = 0;
      this.#store.forget();
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
      const message =
        this.#earlier === undefined
          ? 'the embedding model gives no vectors: documents are found by their words alone'
          : 'the embedding model gives no vectors: the earlier ones stay';
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
