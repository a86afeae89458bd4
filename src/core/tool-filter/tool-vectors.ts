import { atMost } from '../base/at-most.ts';
import { cosineOf, smallVector, type SmallVector } from '../base/small-vector.ts';
import { untilStopped } from '../base/until-stopped.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Logger } from '../ports/logger.ts';
import type { QuestionVectorSource } from '../ports/question-vectors.ts';
import type { Tool } from '../tools/tool.ts';

/** Most milliseconds that a message waits for vectors. The wait is short so that it hardly delays the reply. */
const longestWaitMs = 500;
/** Most milliseconds that the vectors of all tools may take. */
const longestFillMs = 60_000;
/** Milliseconds for which a model that has failed is not asked for the vectors of tools. */
const pauseMs = 15_000;
/** Most texts of tools whose vectors are kept. The texts that were added first are removed first. */
const mostKept = 4_000;

/** A message for which near tools are looked for. */
export interface NearQuestion {
  readonly text: string;
  /** The least cosine at which a tool counts as near. */
  readonly minScore: number;
  readonly signal: AbortSignal;
  readonly tenant: string | undefined;
}

/** What is known of the meaning of tools. */
export interface NearTools {
  /** The tools whose meaning is near, the nearest first. */
  readonly near: readonly Tool[];
  /** The tools whose meaning is not known. */
  readonly unknown: ReadonlySet<Tool>;
}

/** What tools get their vectors with. */
export interface ToolVectorsOptions {
  readonly embedder: Pick<Embedder, 'model' | 'embed'>;
  /** Gives vectors of messages. They must come from the model of `embedder`. */
  readonly questions: QuestionVectorSource;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

type KeptVector = Pick<SmallVector, 'numbers' | 'norm'>;

/**
 * The vectors of tools by one model, in memory (contract/tool-filter.md#meaning). Each text is asked for once in the life of this process:
 * a tool whose words stay keeps its vector, whatever else is offered.
 */
export class ToolVectors {
  readonly #options: ToolVectorsOptions;
  readonly #closing = new AbortController();
  /** Vectors by text, in the order in which they were added. Null: the model has no vector for this text. */
  readonly #kept = new Map<string, KeptVector | null>();
  #filling: Promise<void> | undefined;
  /** True: a message has waited for `#filling` until its time was up. The next messages do not wait for it. */
  #isSlow = false;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #isToldOf = false;

  constructor(options: ToolVectorsOptions) {
    this.#options = options;
  }

  /**
   * Which tools mean something near the text. Undefined when the vectors are not there in time. @throws the signal's
   * reason.
   */
  async nearest(
    tools: readonly Tool[],
    { text, minScore, signal, tenant }: NearQuestion,
  ): Promise<NearTools | undefined> {
    if (text.trim() === '') return undefined;
    const filled = this.prepare(tools);
    if (!this.#isSlow) await untilStopped(atMost(longestWaitMs, filled), signal);
    this.#isSlow = this.#filling !== undefined;
    // While no tool has a vector, a vector of the message would be useless.
    if (!tools.some((tool) => this.#of(tool) !== undefined)) return undefined;
    const vector = await this.#options.questions.of(text, { withinMs: longestWaitMs, signal, tenant });
    if (vector === undefined) return undefined;
    const near = tools.flatMap((tool) => {
      const own = this.#of(tool);
      if (own?.numbers.length !== vector.length) return [];
      const cosine = cosineOf(vector, own);
      return cosine < minScore ? [] : [{ tool, cosine }];
    });
    const isKnown = (tool: Tool): boolean => this.#of(tool)?.numbers.length === vector.length;
    return {
      near: near.toSorted((one, other) => other.cosine - one.cosine).map(({ tool }) => tool),
      unknown: new Set(tools.filter((tool) => !isKnown(tool))),
    };
  }

  /** Asks for the vectors that tools do not have yet. Never rejects. */
  async prepare(tools: readonly Tool[]): Promise<void> {
    if (this.#filling !== undefined) return this.#filling;
    const missing = [...new Set(tools.map(textOf))].filter((text) => !this.#kept.has(text));
    if (missing.length === 0 || performance.now() < this.#pausedUntil) return;
    this.#filling = this.#fill(missing).finally(() => {
      this.#filling = undefined;
    });
    await this.#filling;
  }

  /** Stops the running request. No vectors of tools are requested after this. */
  close(): void {
    this.#closing.abort(new Error('the server ends'));
    this.#pausedUntil = Number.POSITIVE_INFINITY;
  }

  async #fill(texts: readonly string[]): Promise<void> {
    const { embedder, log } = this.#options;
    const limit = AbortSignal.timeout(longestFillMs);
    const signal = AbortSignal.any([this.#closing.signal, limit]);
    try {
      const given = await untilStopped(embedder.embed({ texts, purpose: 'document', signal }), signal);
      for (const [index, text] of texts.entries()) {
        const one = given[index];
        if (one !== undefined) this.#keep(text, 'vector' in one ? smallVector(one.vector) : null);
      }
      if (this.#isToldOf) log.info({ model: embedder.model }, 'the embedding model has vectors of tools again');
      this.#isToldOf = false;
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#pausedUntil = performance.now() + pauseMs;
      if (this.#isToldOf) return;
      this.#isToldOf = true;
      const why = limit.aborted ? { reason: `no answer within ${String(longestFillMs)} ms` } : { error };
      log.warn({ model: embedder.model, ...why }, 'tools have no vectors: they are chosen by words alone for now');
    }
  }

  #of(tool: Tool): KeptVector | undefined {
    return this.#kept.get(textOf(tool)) ?? undefined;
  }

  #keep(text: string, vector: SmallVector | null): void {
    this.#kept.set(text, vector && { numbers: vector.numbers, norm: vector.norm });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
  }
}

const texts = new WeakMap<Tool, string>();

/** The text of a tool that the embedding model is given. */
function textOf(tool: Tool): string {
  const known = texts.get(tool);
  if (known !== undefined) return known;
  const text = [`${tool.title}.`, tool.description, ...(tool.examples ?? [])].join('\n');
  texts.set(tool, text);
  return text;
}
