import { QuestionVectors } from '../adapters/shared/question-vectors.ts';
import type { HelperSettings } from '../config/settings.ts';
import type { Embedder } from '../core/ports/embedder.ts';
import type { Logger } from '../core/ports/logger.ts';
import { ToolFilter } from '../core/tool-filter/tool-filter.ts';
import { ToolVectors } from '../core/tool-filter/tool-vectors.ts';
import type { ComposedTools } from './compose-tools.ts';
import type { Resource } from './open-resources.ts';
import { loadTextWords } from './text-words.ts';

interface ToolFilterServices {
  /** `embeddingGenerator` is one of them: the filter compares tools with messages by meaning too. */
  readonly embedders: { get(name: string): Embedder };
  readonly log: Logger;
}

type FilterSettings = Pick<
  HelperSettings,
  'enableToolFiltering' | 'toolFilterMaxTools' | 'toolFilterMinScore' | 'embeddingGenerator'
>;

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
  #current: { readonly filter: ToolFilter; readonly tools: Pick<ComposedTools, 'toolbox'> } | undefined;

  constructor(services: ToolFilterServices) {
    this.#services = services;
  }

  /**
   * What turns with these settings use; undefined unless `enableToolFiltering` is on. The filter is prepared for these tools in the
   * background.
   */
  by(settings: FilterSettings, tools: Pick<ComposedTools, 'toolbox'>): ToolFilter | undefined {
    const { enableToolFiltering, toolFilterMaxTools: maxTools, toolFilterMinScore: minScore } = settings;
    this.#findBy(enableToolFiltering ? this.#embedderOf(settings) : undefined);
    if (!enableToolFiltering) {
      this.#current = undefined;
      return undefined;
    }
    const filter = new ToolFilter({ maxTools, minScore, words: this.#words, vectors: this.#vectors });
    this.#current = { filter, tools };
    this.refresh();
    return filter;
  }

  /** Call it when the offered tools have changed: the filter is prepared for them in the background. */
  refresh(): void {
    if (this.#current === undefined) return;
    const { filter, tools } = this.#current;
    filter.prepare(tools.toolbox.current).catch((error: unknown) => {
      this.#services.log.error({ error }, 'the choice of tools could not be made ready');
    });
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
