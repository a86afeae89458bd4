import type { LoadedPlugin } from '../../adapters/plugin-directory/loaded-plugin.ts';
import { QuestionVectors } from '../../adapters/shared/question-vectors.ts';
import { InMemoryMemoryStore } from '../../adapters/stores/in-memory/in-memory-memory-store.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { Classifier } from '../../core/classifier/classifier.ts';
import { FactCapture, type FactCaptureOptions } from '../../core/memory/fact-capture.ts';
import { FactRanking } from '../../core/memory/fact-ranking.ts';
import { FactVectors } from '../../core/memory/fact-vectors.ts';
import { KeptMemory } from '../../core/memory/kept-memory.ts';
import { memoryByUser } from '../../core/memory/memory-by-user.ts';
import type { Memory } from '../../core/memory/memory.ts';
import type { FactVectorStore } from '../../core/ports/fact-vector-store.ts';
import type { Embedder } from '../../core/ports/embedder.ts';
import type { MemoryStore } from '../../core/ports/memory-store.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import { DailyPurge } from '../daily-purge.ts';
import type { Resource } from '../open-resources.ts';
import { loadTextWords } from '../text-words.ts';

/**
 * The store of the facts about users: the plugin's store where a plugin has one, else `stored`. Messages that nobody has searched for facts
 * yet stay in `stored`.
 */
export function factStore(plugins: readonly LoadedPlugin[], stored: MemoryStore): MemoryStore {
  const keeper = plugins.find(({ memory }) => memory !== undefined)?.memory;
  return keeper === undefined ? stored : new KeptMemory(keeper, stored);
}

/** The store of facts, and that of their vectors. Only the facts of our own store take their vectors with them, those of a plugin do not. */
export function factStores(
  plugins: readonly LoadedPlugin[],
  stored: { readonly memory: MemoryStore; readonly factVectors?: FactVectorStore },
): Pick<MemoryServices, 'store' | 'factVectors'> {
  const store = factStore(plugins, stored.memory);
  return { store, factVectors: store === stored.memory ? stored.factVectors : undefined };
}

/** The most connections of anonymous callers whose facts are held at the same time. */
const mostConnections = 1_000;

type MemoryServices = Omit<FactCaptureOptions, 'classifier' | 'ranking' | 'isOn' | 'metrics'> & {
  readonly metrics: Pick<Metrics, 'of' | 'purged'>;
  /** Where the vectors of facts are kept. Left out: in memory alone. */
  readonly factVectors?: FactVectorStore | undefined;
  /** `embeddingGenerator` is one of them: facts are compared with messages by meaning too. */
  readonly embedders: { get(name: string): Embedder };
};

type MemorySettings = Pick<HelperSettings, 'retention' | 'dataProtection'>;

/** Undefined without `embeddingGenerator`: facts are then found by their words alone. */
function embedderOf(
  { embeddingGenerator }: Pick<HelperSettings, 'embeddingGenerator'>,
  { embedders }: MemoryServices,
): Embedder | undefined {
  return embeddingGenerator === undefined ? undefined : embedders.get(embeddingGenerator);
}

/** Drops the vectors of what a user erases. */
function forgetting(store: MemoryStore, vectors: () => FactVectors | undefined): MemoryStore {
  return {
    ...store,
    erase: async (userKey, id, at) => {
      const count = await store.erase(userKey, id, at);
      vectors()?.forget(userKey);
      return count;
    },
  };
}

/** What is remembered about users, through all configurations of a process (contract/memory.md). */
export class LiveMemory implements Resource {
  readonly name = 'memory';
  readonly store: MemoryStore;
  readonly #services: MemoryServices;
  readonly #capture: FactCapture;
  readonly #settings: MemorySettings;
  readonly #words = loadTextWords();
  readonly #byWords = new FactRanking({ words: this.#words });
  #embedder: Embedder | undefined;
  #vectors: FactVectors | undefined;
  #byMeaning = this.#byWords;
  #classifier: Classifier | undefined;
  #ranking: FactRanking;
  #isCapturing = false;
  #compares = false;
  #purging: DailyPurge | undefined;

  /** `services.store` is the store of signed-in users. Facts of anonymous callers stay in this process. */
  constructor(settings: MemorySettings, services: MemoryServices) {
    this.#ranking = this.#byWords;
    const ofUsers = memoryByUser(services.store, new InMemoryMemoryStore(mostConnections));
    this.store = forgetting(ofUsers, () => this.#vectors);
    this.#settings = settings;
    this.#services = services;
    const classifier = (): Classifier => {
      if (this.#classifier === undefined) throw new Error('nobody has said yet which model is asked');
      return this.#classifier;
    };
    const isOn = (): boolean => this.#isCapturing;
    const ranking = (): FactRanking => this.#ranking;
    this.#capture = new FactCapture({ ...services, store: this.store, classifier, ranking, isOn });
  }

  /** What turns with these settings use; undefined unless `useMemoryContext` is on. From now on `classifier` is asked to find facts. */
  by(settings: HelperSettings, classifier: Classifier): Memory | undefined {
    this.#classifier = classifier;
    this.#isCapturing = settings.useMemoryContext && settings.memoryAutoCapture;
    this.#findBy(embedderOf(settings, this.#services));
    this.#ranking = settings.memoryRelevanceFiltering ? this.#byMeaning : this.#byWords;
    this.#compares = settings.useMemoryContext;
    if (!settings.useMemoryContext) return undefined;
    return {
      store: this.store,
      count: settings.memoryContextCount,
      isFiltering: settings.memoryRelevanceFiltering,
      ranking: this.#ranking,
      capture: settings.memoryAutoCapture ? this.#capture : undefined,
    };
  }

  /**
   * Deletes what is too old, now and daily. With `isCapturing` it also searches the messages that earlier processes left. Never rejects.
   */
  async start(isCapturing: boolean): Promise<void> {
    this.#purging = new DailyPurge('memory', () => this.#purge(), this.#services);
    await this.#purging.now();
    if (!isCapturing) return;
    await this.#capture.takeUp().catch((error: unknown) => {
      this.#services.log.warn({ error }, 'what users have said could not be looked through for facts');
    });
  }

  /** Searches the messages that dead replicas left, where messages are searched at all. Rejects when the store fails. */
  async takeUp(): Promise<void> {
    if (this.#isCapturing) await this.#capture.takeUp();
  }

  /** Loads what the first message would wait for, where facts are compared with messages. */
  async warmUp(): Promise<void> {
    if (this.#compares) await this.#words();
  }

  async close(): Promise<void> {
    await this.#purging?.close();
    await this.#capture.close();
    this.#vectors?.close();
  }

  /** Vectors of facts belong to one model, so another model needs new ones. They are made when they are needed. */
  #findBy(embedder: Embedder | undefined): void {
    if (embedder === this.#embedder) return;
    const { log, factVectors } = this.#services;
    this.#vectors?.close();
    this.#embedder = embedder;
    const questions = embedder && new QuestionVectors(embedder, log);
    this.#vectors = embedder && questions && new FactVectors({ embedder, questions, kept: factVectors, log });
    this.#byMeaning = new FactRanking({ words: this.#words, ...(this.#vectors && { vectors: this.#vectors }) });
  }

  #purge(): Promise<number> {
    const { retention, dataProtection } = this.#settings;
    const now = this.#services.clock.now();
    const facts = retention.memory === null ? 0 : now - retention.memory;
    // No turn of an earlier process runs longer than this.
    return this.store.purge({ facts, captures: now - dataProtection.maxAge });
  }
}
