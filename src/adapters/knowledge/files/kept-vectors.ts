import { untilStopped } from '../../../core/base/until-stopped.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { PassageVectorStore } from '../../../core/ports/passage-vector-store.ts';

/** Milliseconds that one step of the store may take. Documents are found by their words meanwhile. */
const stepWithinMs = 2_000;
/** Milliseconds for which a store that has failed is left alone. */
const pauseMs = 5_000;

/**
 * The store of vectors as all folders use it (contract/document-folders.md#vectors-in-the-database). It is asked for one thing at a time,
 * so that a store that hangs holds no more than a connection or two, and is left alone for a while after it has failed.
 */
export class KeptVectors {
  readonly #log: Pick<Logger, 'warn' | 'info'>;
  #store: PassageVectorStore | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #isFailureTold = false;

  constructor(log: Pick<Logger, 'warn' | 'info'>) {
    this.#log = log;
  }

  /** Whether vectors are kept outside of the indexes. */
  get isOn(): boolean {
    return this.#store !== undefined;
  }

  /** From now on vectors are kept there. Undefined: they are in the indexes alone. */
  keepIn(store: PassageVectorStore | undefined): void {
    this.#store = store;
  }

  /** Resolves with undefined when there is no store, or when it has failed lately. Never rejects. */
  try<Value>(step: (store: PassageVectorStore) => Promise<Value>): Promise<Value | undefined> {
    const next = this.#last.then(() => this.#tried(step));
    this.#last = next;
    return next;
  }

  /** Resolves once the store is asked for nothing that was begun before. */
  async idle(): Promise<void> {
    await this.#last;
  }

  async #tried<Value>(step: (store: PassageVectorStore) => Promise<Value>): Promise<Value | undefined> {
    if (this.#store === undefined || performance.now() < this.#pausedUntil) return undefined;
    try {
      const value = await untilStopped(step(this.#store), AbortSignal.timeout(stepWithinMs));
      if (this.#isFailureTold) this.#log.info({}, 'vectors of documents are kept in the database again');
      this.#isFailureTold = false;
      return value;
    } catch (error) {
      this.#pausedUntil = performance.now() + pauseMs;
      if (this.#isFailureTold) return undefined;
      this.#isFailureTold = true;
      this.#log.warn(
        { error },
        'vectors of documents are not kept in the database for now: the model is asked for all',
      );
      return undefined;
    }
  }
}
