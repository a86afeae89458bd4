import { isDeepStrictEqual } from 'node:util';
import { QuestionVectors } from '../adapters/shared/question-vectors.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Embedder } from '../core/ports/embedder.ts';
import type { Logger } from '../core/ports/logger.ts';
import { ToolFilter } from '../core/tool-filter/tool-filter.ts';
import { ToolVectors } from '../core/tool-filter/tool-vectors.ts';
import type { ComposedTools } from './compose-tools.ts';
import type { Resource } from './open-resources.ts';
import { boundsOfTools, toolWarnings, type ToolWeight, weightOf, type Weighing } from './tool-weight.ts';
import { loadTextWords } from './text-words.ts';

interface ToolFilterServices {
  /** `embeddingGenerator` is one of them: the filter compares tools with messages by meaning too. */
  readonly embedders: { get(name: string): Embedder };
  readonly estimates: Weighing['estimates'];
  readonly log: Logger;
}

type FilterSettings = Pick<
  HelperSettings,
  'enableToolFiltering' | 'toolFilterMaxTools' | 'toolFilterMinScore' | 'toolShare' | 'embeddingGenerator'
>;

interface Current {
  /** Undefined where tools are never chosen. */
  readonly filter: ToolFilter | undefined;
  readonly tools: Pick<ComposedTools, 'toolbox'>;
  readonly settings: FilterSettings;
  readonly weighing: Weighing;
}

/**
 * Chooses the tools for messages, through all configurations of a process (contract/tool-filter.md). Vectors are kept when the
 * configuration changes.
 */
export class LiveToolFilter implements Resource {
  readonly name = 'tool filter';
  readonly #services: ToolFilterServices;
  readonly #words = loadTextWords();
  #embedder: Embedder | undefined;
  #vectors: ToolVectors | undefined;
  #current: Current | undefined;
  /** What was last told of the tools. */
  #told: { readonly weight: ToolWeight; readonly codes: readonly string[] } | undefined;

  constructor(services: ToolFilterServices) {
    this.#services = services;
  }

  /**
   * What turns with these settings use; undefined where tools are never chosen. The filter is prepared for these tools in the background.
   */
  by(
    settings: FilterSettings,
    tools: Pick<ComposedTools, 'toolbox'>,
    models: Weighing['models'],
  ): ToolFilter | undefined {
    const { enableToolFiltering: isOn, toolFilterMaxTools: maxTools, toolFilterMinScore: minScore } = settings;
    const weighing = { models, estimates: this.#services.estimates };
    const bounds = isOn === undefined ? boundsOfTools(settings, weighing) : undefined;
    const mayChoose = isOn === true || bounds !== undefined;
    this.#findBy(mayChoose ? this.#embedderOf(settings) : undefined);
    const choosing = { maxTools, minScore, words: this.#words, vectors: this.#vectors, bounds };
    const filter = mayChoose ? new ToolFilter(choosing) : undefined;
    this.#current = { filter, tools, settings, weighing };
    this.refresh();
    return filter;
  }

  /** Call it when the offered tools have changed: the filter is prepared for them in the background. */
  refresh(): void {
    if (this.#current === undefined) return;
    const { filter, tools } = this.#current;
    this.#tellWeight(this.#current);
    filter?.prepare(tools.toolbox.current).catch((error: unknown) => {
      this.#services.log.error({ error }, 'the choice of tools could not be made ready');
    });
  }

  /** Tells what the tools weigh whenever that has changed. What the start has to warn of is in its report. */
  #tellWeight({ tools, settings, weighing }: Current): void {
    const { log } = this.#services;
    const weight = weightOf(tools.toolbox.current, weighing);
    if (isDeepStrictEqual(weight, this.#told?.weight) || (weight.count === 0 && this.#told === undefined)) return;
    const { count, tokens, bytes } = weight;
    log.info({ tools: count, tokens, bytes }, 'what the tools weigh when all of them go along with a message');
    const warnings = toolWarnings(settings, tools.toolbox.current, weighing);
    for (const { code, message } of warnings)
      if (this.#told?.codes.includes(code) === false) log.warn({ code }, message);
    this.#told = { weight, codes: warnings.map(({ code }) => code) };
  }

  close(): Promise<void> {
    this.#vectors?.close();
    return Promise.resolve();
  }

  #embedderOf({ embeddingGenerator }: FilterSettings): Embedder | undefined {
    return embeddingGenerator === undefined ? undefined : this.#services.embedders.get(embeddingGenerator);
  }

  /** Vectors belong to one model, so another model needs new ones. */
  #findBy(embedder: Embedder | undefined): void {
    if (embedder === this.#embedder) return;
    const { log } = this.#services;
    this.#vectors?.close();
    this.#embedder = embedder;
    this.#vectors = embedder && new ToolVectors({ embedder, questions: new QuestionVectors(embedder, log), log });
  }
}
