import { untilStopped } from '../../core/base/until-stopped.ts';
import type { Embedder } from '../../core/ports/embedder.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { AskedVector, QuestionVectorSource } from '../../core/ports/question-vectors.ts';
import { describeError } from './describe-error.ts';

/** The most vectors that are kept. The same question is often asked of several folders, and asked again. */
const mostKept = 200;
/** Milliseconds for which a model that has failed is not asked for the vectors of questions. */
const pauseMs = 15_000;

/** The vectors of questions by one model. When the model is slow or fails, the question is answered by its words alone. */
export class QuestionVectors implements QuestionVectorSource {
  readonly #embedder: Embedder;
  readonly #log: Logger;
  readonly #kept = new Map<string, Promise<Float32Array | undefined>>();
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #isToldOf = false;

  constructor(embedder: Embedder, log: Logger) {
    this.#embedder = embedder;
    this.#log = log;
  }

  /** Undefined when there is no vector within `withinMs`. @throws the signal's reason when the signal aborts. */
  of(question: string, { withinMs, signal, tenant }: AskedVector): Promise<Float32Array | undefined> {
    const key = `${String(withinMs)} ${question}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return untilStopped(known, signal);
    if (performance.now() < this.#pausedUntil) return Promise.resolve(undefined);
    const asked = this.#ask(question, withinMs, tenant).then((vector) => {
      if (vector === undefined) this.#kept.delete(key);
      return vector;
    });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= mostKept && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, asked);
    return untilStopped(asked, signal);
  }

  async #ask(question: string, withinMs: number, tenant: string | undefined): Promise<Float32Array | undefined> {
    const limit = AbortSignal.timeout(withinMs);
    try {
      const request = { texts: [question], purpose: 'question', signal: limit, tenant } as const;
      const [given = { fault: 'is missing' }] = await untilStopped(this.#embedder.embed(request), limit);
      if ('fault' in given) throw new Error(`the vector ${given.fault}`);
      if (this.#isToldOf)
        this.#log.info({ model: this.#embedder.model }, 'the embedding model answers questions again');
      this.#isToldOf = false;
      return given.vector;
    } catch (error) {
      this.#failed(limit.aborted ? `no answer within ${String(withinMs)} ms` : describeError(error));
      return undefined;
    }
  }

  #failed(reason: string): void {
    this.#pausedUntil = performance.now() + pauseMs;
    if (this.#isToldOf) return;
    this.#isToldOf = true;
    const fields = { model: this.#embedder.model, reason };
    this.#log.warn(fields, 'the embedding model has no vector for a question: words alone count for now');
  }
}
