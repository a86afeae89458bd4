import { openEmbedder } from '../adapters/models/embeddings/open-embedder.ts';
import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { HelperSettings } from '../config/settings.ts';
import { withoutQueries } from '../core/errors/hidden-query.ts';
import { StartupFaults } from '../core/errors/startup-fault.ts';
import type { Embedded, Embedder, EmbedRequest, FollowEmbedding } from '../core/ports/embedder.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { Metrics } from '../core/ports/metrics.ts';
import type { Resource } from './open-resources.ts';
import { SharedQuestions } from './shared-questions.ts';

interface EmbedderServices {
  readonly plugins: readonly LoadedPlugin[];
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Follows the calls of the model. Left out, nobody follows them. */
  readonly followed?: FollowEmbedding | undefined;
}

/** An embedding model whose key or address a reload may replace. */
class LiveEmbedder implements Embedder {
  readonly model: string;
  readonly provider: string;
  readonly identity: string;
  readonly #questions = new SharedQuestions();
  #current: Embedder;

  constructor(first: Embedder) {
    this.model = first.model;
    this.provider = first.provider;
    this.identity = first.identity;
    this.#current = first;
  }

  embed(request: EmbedRequest): Promise<readonly Embedded[]> {
    const isQuestion = request.purpose === 'question' && request.texts.length === 1;
    if (!isQuestion) return this.#current.embed(request);
    return this.#questions.ask(request, (shared) => this.#current.embed(shared));
  }

  /** Calls that run with the earlier key or address fail. Whoever needs their results calls again. */
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

/**
 * The embedding models of the configuration, by the names of their entries (contract/models.md#embeddings). Models that the configuration
 * uses are open. Another model is opened when somebody still needs its vectors.
 */
export class LiveEmbedders implements Resource {
  readonly name = 'embedding models';
  readonly #services: EmbedderServices;
  readonly #embedders = new Map<string, LiveEmbedder>();
  #settings: HelperSettings;
  #isClosed = false;

  private constructor(settings: HelperSettings, services: EmbedderServices) {
    this.#settings = settings;
    this.#services = services;
  }

  /** Calls no model yet. @throws StartupFaults that name the entry at fault. */
  static async open(settings: HelperSettings, services: EmbedderServices): Promise<LiveEmbedders> {
    const embedders = new LiveEmbedders(settings, services);
    const take = await embedders.prepare(settings);
    take();
    return embedders;
  }

  /** @throws Error when the configuration does not use the entry. */
  get(name: string): Embedder {
    const embedder = this.#embedders.get(name);
    if (embedder === undefined) throw new Error(`the embedding model ${name} is not open`);
    return embedder;
  }

  /** The configured model whose vectors have this identity, even if the configuration does not use it. Never rejects. */
  async find(identity: string): Promise<Embedder | undefined> {
    const settings = this.#settings;
    const isIt = (embedder: Embedder): boolean => embedder.identity === identity;
    const known = [...this.#embedders.values()].find(isIt);
    if (known !== undefined) return known;
    for (const name of unusedIn(settings)) {
      const embedder = await this.#openUnused(name, settings);
      const isWanted = embedder !== undefined && isIt(embedder) && settings === this.#settings && !this.#isClosed;
      const other = this.#embedders.get(name);
      if (isWanted && other === undefined) {
        const live = new LiveEmbedder(embedder);
        this.#embedders.set(name, live);
        return live;
      }
      await embedder?.close();
      if (isWanted) return other;
    }
    return undefined;
  }

  /**
   * Opens the models of changed settings. The returned function puts them into use, and closes each model whose entry is now another model
   * or no longer exists.
   * @throws StartupFaults that name the entry at fault.
   */
  async prepare(settings: HelperSettings): Promise<() => void> {
    const next = await this.#openUsed(settings);
    for (const name of unusedIn(settings)) {
      const embedder = this.#embedders.has(name) ? await this.#openUnused(name, settings) : undefined;
      if (embedder !== undefined) next.set(name, embedder);
    }
    return () => {
      this.#settings = settings;
      this.#take(next);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#embedders.values()].map((embedder) => embedder.close()));
  }

  #take(next: ReadonlyMap<string, Embedder>): void {
    const ends: Promise<void>[] = [];
    for (const [name, embedder] of this.#embedders) {
      const renewed = next.get(name);
      if (renewed === undefined && isMissing(name, this.#settings)) continue;
      if (renewed?.identity === embedder.identity) ends.push(embedder.replace(renewed));
      else {
        this.#embedders.delete(name);
        ends.push(embedder.close());
      }
    }
    for (const [name, embedder] of next) {
      if (!this.#embedders.has(name)) this.#embedders.set(name, new LiveEmbedder(embedder));
    }
    Promise.all(ends).catch((error: unknown) => {
      this.#services.log.error({ error }, 'an embedding model of the earlier configuration could not be closed');
    });
  }

  async #openUsed(settings: HelperSettings): Promise<Map<string, Embedder>> {
    const opened = new Map<string, Embedder>();
    try {
      for (const name of usedIn(settings)) {
        if (!(isMissing(name, settings) && this.#embedders.has(name)))
          opened.set(name, await openOne(name, settings, this.#services));
      }
      return opened;
    } catch (error) {
      await Promise.all([...opened.values()].map((embedder) => embedder.close()));
      throw error;
    }
  }

  /** A fault in an entry that the configuration does not use is no fault of the configuration. */
  async #openUnused(name: string, settings: HelperSettings): Promise<Embedder | undefined> {
    try {
      return await openOne(name, settings, this.#services);
    } catch (error) {
      this.#services.log.debug({ error, model: name }, 'an embedding model that nobody uses cannot be opened');
      return undefined;
    }
  }
}

function usedIn({ embeddingGenerator, ragSources }: HelperSettings): ReadonlySet<string> {
  const names = [embeddingGenerator, ...ragSources.map(({ embeddings }) => embeddings)];
  return new Set(names.filter((name) => name !== undefined));
}

/** A folder whose change waits for a restart may still name a removed entry. */
function isMissing(name: string, settings: HelperSettings): boolean {
  return usedIn(settings).has(name) && settings.models[name]?.kind !== 'embeddings';
}

function unusedIn(settings: HelperSettings): readonly string[] {
  const used = usedIn(settings);
  return Object.entries(settings.models).flatMap(([name, { kind }]) =>
    kind === 'embeddings' && !used.has(name) ? [name] : [],
  );
}

async function openOne(
  name: string,
  settings: HelperSettings,
  { plugins, log, metrics, followed }: EmbedderServices,
): Promise<Embedder> {
  try {
    const pluginModels = new Map(plugins.flatMap((plugin) => [...plugin.models]));
    const { models, observabilityIncludeSensitiveData: includeSensitive } = settings;
    return await openEmbedder({ name, models, pluginModels, log, metrics, followed, includeSensitive });
  } catch (error) {
    const message = withoutQueries(error instanceof Error ? error.message : String(error));
    const path = `models.${name}`;
    throw new StartupFaults([{ file: settings.configFile, path, message: message.replace(`${path}: `, '') }]);
  }
}
