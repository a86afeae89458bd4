import type { Database } from 'better-sqlite3';
import type { PassageVector } from '../../../../../core/ports/passage-vector-store.ts';
import { describeError } from '../../../../shared/describe-error.ts';
import type { VectorsState } from '../../files-source.ts';
import type { LogLine, MakeCall, QuestionVector, VectorRules } from '../../messages.ts';
import { embedChunks, EmbeddingFailed } from './embed-chunks.ts';
import { keep, type SharingParts, takeKept, useAll } from './shared-vectors.ts';
import { VectorStore } from './vector-store.ts';

/** What the vectors of a source need, and where they report. */
interface VectorOutlets {
  readonly call: MakeCall;
  log(line: LogLine): void;
  /** Called after the state of the vectors has changed. */
  changed(): void;
  /** The index could not be written. */
  failed(error: unknown): void;
}

/** Vectors of an earlier model. They answer questions until all chunks have new vectors. */
interface EarlierVectors {
  readonly identity: string;
  readonly store: VectorStore;
}

/**
 * While many vectors are made, searches find the new ones after each group of this size. For each group all vectors are read into memory
 * again.
 */
const foundAfter = 1_000;
/** Milliseconds after which the vectors of the index are named again as those that are in use. */
const inUseAfterMs = 24 * 60 * 60 * 1_000;
/** Milliseconds after which a model that has failed is asked again: at first, and at most. */
const againAfterMs = { first: 1_000, most: 600_000 } as const;

/** Gives the chunks of one index their vectors in the background. */
export class SourceVectors {
  readonly rules: VectorRules;
  readonly #database: Database;
  readonly #store: VectorStore;
  readonly #outlets: VectorOutlets;
  readonly #ending = new AbortController();
  /** Hashes of texts for which the model gives no usable vector. This object does not ask for them again. */
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
  /** When all vectors of the index were named as those in use, and were all kept. */
  #usedAt = Number.NEGATIVE_INFINITY;
  /** Looks whether it is time to name them, although no document has changed. */
  readonly #looking: NodeJS.Timeout | undefined;

  constructor(database: Database, rules: VectorRules, outlets: VectorOutlets) {
    this.rules = rules;
    this.#outlets = outlets;
    this.#database = database;
    this.#store = new VectorStore(database, rules.identity);
    if (rules.isShared) this.#looking = setInterval(() => this.begin(), inUseAfterMs).unref();
  }

  /**
   * The vectors of an earlier model. The first access looks for them, because this reads the index, which may turn out to be damaged.
   * @throws Error of SQLite.
   */
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

  /** To be called after chunks, or their vectors, have changed. */
  forget(): void {
    this.#store.forget();
    this.#earlier?.store.forget();
  }

  /** The vectors that the question's vector can be compared with. Undefined: there are none. */
  storeFor({ identity, numbers }: QuestionVector): VectorStore | undefined {
    const store = identity === this.rules.identity ? this.#store : this.#earlierStore(identity);
    return store?.dimensions === numbers.length ? store : undefined;
  }

  /** Begins to make the missing vectors. After a failure the next attempt waits for its time, whatever has changed meanwhile. */
  begin(): void {
    if (this.#isWorking) this.#isToBeginAgain = true;
    else if (this.#again === undefined) void this.#work();
  }

  /** Logs once that a question's vector has another length than the vectors of the documents. */
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
    clearInterval(this.#looking);
    clearTimeout(this.#again);
    clearTimeout(this.#removal);
  }

  #earlierStore(identity: string): VectorStore | undefined {
    return this.#earlier?.identity === identity ? this.#earlier.store : undefined;
  }

  async #work(): Promise<void> {
    const { signal } = this.#ending;
    this.#isWorking = true;
    if (!(await this.#makeMissing(signal))) return;
    this.#store.forget();
    this.#outlets.changed();
    await this.#tellInUse(signal);
    if (signal.aborted) return;
    this.#isWorking = false;
    if (this.#isToBeginAgain) {
      this.#isToBeginAgain = false;
      this.begin();
    }
  }

  get #sharing(): SharingParts {
    const { identity } = this.rules;
    return { store: this.#store, identity, call: this.#outlets.call, signal: this.#ending.signal };
  }

  /** Returns false when this object was closed meanwhile. Never rejects. */
  async #makeMissing(signal: AbortSignal): Promise<boolean> {
    const refused: string[] = [];
    const { identity, isShared } = this.rules;
    const written = (count: number): void => this.#written(count);
    try {
      if (isShared) await takeKept(this.#sharing, written);
      await embedChunks(
        {
          store: this.#store,
          embed: (texts) => this.#outlets.call('embed', { identity, texts }),
          refused: this.#refused,
          written,
          keep: (vectors) => this.#keep(vectors),
          left: (reason) => refused.push(reason),
        },
        signal,
      );
      this.#store.forget();
      this.#replaceEarlier();
      this.#succeeded(refused);
    } catch (error) {
      if (signal.aborted) return false;
      this.#failed(error);
    }
    return true;
  }

  async #keep(vectors: readonly PassageVector[]): Promise<void> {
    if (this.rules.isShared && !(await keep(this.#sharing, vectors))) this.#usedAt = Number.NEGATIVE_INFINITY;
  }

  /** Vectors that were made while nobody could keep them are kept now. Never rejects. */
  async #tellInUse(signal: AbortSignal): Promise<void> {
    if (!this.rules.isShared || signal.aborted || performance.now() - this.#usedAt < inUseAfterMs) return;
    try {
      if (await useAll(this.#sharing)) this.#usedAt = performance.now();
    } catch (error) {
      this.#outlets.failed(error);
    }
  }

  /**
   * From now on questions get their vectors by the new model. Questions that are under way have a vector of the earlier model. They can
   * still be compared with the earlier vectors, which are removed only after the time that a search may take.
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
      // The vectors are removed the next time.
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
