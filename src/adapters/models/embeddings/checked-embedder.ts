import { ModelError } from '../../../core/ports/chat-model.ts';
import type { Embedded, Embedder, EmbedRequest, FollowEmbedding } from '../../../core/ports/embedder.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { Metrics } from '../../../core/ports/metrics.ts';
import { Slots } from '../slots.ts';
import { tellingWords } from '../telling-words.ts';
import { answerOf } from '../with-metrics.ts';
import { withSite } from '../with-advice.ts';
import { retried } from '../with-retries.ts';
import type { RawEmbedder, RawEmbeddings } from './raw-embedder.ts';
import { soundVectors } from './sound-vectors.ts';

/** The most texts in one call. */
const textsAtOnce = 32;
/** The most characters of one text. Models take about 8,000 tokens of one text, and refuse a whole call when one text is longer. */
const longestText = 6_000;

interface EmbedderRules {
  /** The name of the entry of `models`. */
  readonly entry: string;
  readonly identity: string;
  /** Milliseconds that one attempt may take. */
  readonly timeout: number;
  readonly maxRetries: number;
  readonly concurrency?: number | undefined;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'of' | 'expect'>;
  readonly followed?: FollowEmbedding | undefined;
  readonly includeSensitive?: boolean | undefined;
}

/** Calls a provider in batches within its limits, and checks each vector (contract/models.md#embeddings). */
export class CheckedEmbedder implements Embedder {
  readonly model: string;
  readonly provider: string;
  readonly identity: string;
  readonly #raw: RawEmbedder;
  readonly #rules: EmbedderRules;
  readonly #slots: Slots;

  constructor(raw: RawEmbedder, rules: EmbedderRules) {
    const { model, provider } = raw;
    this.model = model;
    this.provider = provider;
    this.identity = rules.identity;
    this.#raw = raw;
    this.#rules = rules;
    this.#slots = new Slots(rules.concurrency ?? Number.POSITIVE_INFINITY);
    rules.metrics.expect({ kind: 'embeddings', provider, model });
  }

  async embed({ texts, ...request }: EmbedRequest): Promise<readonly Embedded[]> {
    const given: unknown[] = [];
    for (let first = 0; first < texts.length; first += textsAtOnce) {
      const batch = texts.slice(first, first + textsAtOnce).map((text) => text.slice(0, longestText));
      const { vectors } = await this.#counted({ ...request, texts: batch });
      for (const index of batch.keys()) given.push(vectors[index]);
    }
    return soundVectors(given);
  }

  async close(): Promise<void> {
    await this.#raw.close();
  }

  /** Counts each call once, including its retries and its wait for a free slot. */
  async #counted(request: EmbedRequest): Promise<RawEmbeddings> {
    const { model, provider } = this;
    const { metrics } = this.#rules;
    const startedAt = performance.now();
    const count = (error: string | undefined, inputTokens: number, fault?: ReturnType<typeof answerOf>): void => {
      const durationMs = performance.now() - startedAt;
      metrics.of(request.tenant).modelCalled({
        operation: 'embeddings',
        provider,
        model,
        durationMs,
        error,
        ...fault,
        inputTokens,
        outputTokens: 0,
      });
    };
    try {
      const call = (): Promise<RawEmbeddings> =>
        retried(() => this.#inTime(request), { ...this.#rules, model, signal: request.signal });
      const result = await (this.#rules.followed?.(this, request, call) ?? call());
      count(undefined, result.inputTokens);
      return result;
    } catch (error) {
      const label = error instanceof ModelError ? error.code : request.signal.aborted ? 'stopped' : 'internal';
      count(label, 0, answerOf(error));
      throw error;
    }
  }

  async #inTime({ signal, ...request }: EmbedRequest): Promise<RawEmbeddings> {
    const { timeout, includeSensitive, entry } = this.#rules;
    const site = { provider: this.provider, model: this.model, entry: `models.${entry}` };
    await this.#slots.take(signal);
    const limit = AbortSignal.timeout(timeout);
    try {
      const given = this.#raw.embed({ ...request, signal: AbortSignal.any([signal, limit]) });
      return await (includeSensitive === true ? tellingWords(given) : given);
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.aborted) throw withSite(error, site);
      const message = `the model has not answered within ${String(timeout)} ms`;
      throw withSite(new ModelError('model_timeout', message, { transient: false }), site);
    } finally {
      this.#slots.release();
    }
  }
}
