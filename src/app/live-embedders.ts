import { openEmbedder } from '../adapters/models/embeddings/open-embedder.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { Embedded, Embedder, EmbedRequest } from '../core/ports/embedder.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import type { Resource } from './open-resources.ts';
import { SharedQuestions } from './shared-questions.ts';

interface EmbedderServices {
  readonly plugins: readonly LoadedPlugin[];
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** An embedding model whose way, a key or an address, a reload may replace. */
class LiveEmbedder implements Embedder {
  readonly #questions = new SharedQuestions();
  #current: Embedder;

  constructor(first: Embedder) {
    this.#current = first;
  }

  get model(): string {
    return this.#current.model;
  }

  get provider(): string {
    return this.#current.provider;
  }

  get identity(): string {
    return this.#current.identity;
  }

  embed(request: EmbedRequest): Promise<readonly Embedded[]> {
    const isQuestion = request.purpose === 'question' && request.texts.length === 1;
    if (!isQuestion) return this.#current.embed(request);
    return this.#questions.ask(request, (shared) => this.#current.embed(shared));
  }

  /** Calls that are under way on the earlier way fail, and are made again by whoever needs them. */
  async replace(next: Embedder): Promise<void> {
    const earlier = this.#current;
    this.#current = next;
    this.#questions.clear();
    await earlier.close();
  }

  async close(): Promise<void> {
    await this.#current.close();
  }
}

/** The embedding models that the configuration names, by the names of their entries (contract/models.md#embeddings). */
export class LiveEmbedders implements Resource {
  readonly name = 'embedding models';
  readonly #services: EmbedderServices;
  readonly #embedders: ReadonlyMap<string, LiveEmbedder>;

  private constructor(embedders: ReadonlyMap<string, LiveEmbedder>, services: EmbedderServices) {
    this.#embedders = embedders;
    this.#services = services;
  }

  /** Calls no model yet. @throws StartupFaults that name the entry at fault. */
  static async open(settings: HelperSettings, services: EmbedderServices): Promise<LiveEmbedders> {
    const opened = new Map<string, LiveEmbedder>();
    for (const name of namesIn(settings)) opened.set(name, new LiveEmbedder(await openOne(name, settings, services)));
    return new LiveEmbedders(opened, services);
  }

  /** @throws Error when the configuration did not name it at the start. */
  get(name: string): Embedder {
    const embedder = this.#embedders.get(name);
    if (embedder === undefined) throw new Error(`the embedding model ${name} is not open`);
    return embedder;
  }

  /**
   * Makes everything ready for changed settings; what is returned goes by them. An entry that has become another model keeps its earlier
   * way until a restart, for vectors of two models cannot be compared. @throws StartupFaults that name the entry at fault.
   */
  async prepare(settings: HelperSettings): Promise<() => void> {
    const { log } = this.#services;
    const renewed: (() => Promise<void>)[] = [];
    for (const [name, embedder] of this.#embedders) {
      if (settings.models[name]?.kind !== 'embeddings') continue;
      const next = await openOne(name, settings, this.#services);
      if (next.identity === embedder.identity) renewed.push(() => embedder.replace(next));
      else {
        await next.close();
        log.warn({ model: name }, 'the entry of an embedding model is another model now: it waits for a restart');
      }
    }
    return () => {
      for (const renew of renewed) {
        renew().catch((error: unknown) => {
          log.error({ error }, 'an embedding model of the earlier configuration could not be closed');
        });
      }
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#embedders.values()].map((embedder) => embedder.close()));
  }
}

function namesIn({ embeddingGenerator, ragSources }: HelperSettings): ReadonlySet<string> {
  const names = [embeddingGenerator, ...ragSources.map(({ embeddings }) => embeddings)];
  return new Set(names.filter((name) => name !== undefined));
}

async function openOne(
  name: string,
  settings: HelperSettings,
  { plugins, log, metrics }: EmbedderServices,
): Promise<Embedder> {
  try {
    const pluginModels = new Map(plugins.flatMap((plugin) => [...plugin.models]));
    return await openEmbedder({ name, models: settings.models, pluginModels, log, metrics });
  } catch (error) {
    const message = withoutQueries(error instanceof Error ? error.message : String(error));
    const path = `models.${name}`;
    throw new StartupFaults([{ file: settings.configFile, path, message: message.replace(`${path}: `, '') }]);
  }
}
