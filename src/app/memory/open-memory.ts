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
import type { Embedder } from '../../core/ports/embedder.ts';
import type { MemoryStore } from '../../core/ports/memory-store.ts';
import type { Metrics } from '../../core/ports/metrics.ts';
import type { TextWords } from '../../core/ports/text-words.ts';
import { DailyPurge } from '../daily-purge.ts';
import type { Resource } from '../open-resources.ts';

/** Where facts of users are kept: by the plugin that does, else in `stored`. What nobody has looked through stays in `stored`. */
export function factStore(plugins: readonly LoadedPlugin[], stored: MemoryStore): MemoryStore {
  const keeper = plugins.find(({ memory }) => memory !== undefined)?.memory;
  return keeper === undefined ? stored : new KeptMemory(keeper, stored);
}

/** Connections of anonymous callers whose facts are held at a time. */
const mostConnections = 1_000;

type MemoryServices = Omit<FactCaptureOptions, 'classifier' | 'ranking' | 'isOn' | 'metrics'> & {
  readonly metrics: Pick<Metrics, 'factsCaptured' | 'purged'>;
  /** `embeddingGenerator` is one of them: facts are found by what they mean too. */
  readonly embedders: { get(name: string): Embedder };
};

type MemorySettings = Pick<HelperSettings, 'retention' | 'dataProtection' | 'embeddingGenerator'>;

/** Undefined without `embeddingGenerator`: facts are found by their words alone. */
function vectorsOf(
  { embeddingGenerator }: MemorySettings,
  { embedders, log }: MemoryServices,
): FactVectors | undefined {
  if (embeddingGenerator === undefined) return undefined;
  const embedder = embedders.get(embeddingGenerator);
  return new FactVectors({ embedder, questions: new QuestionVectors(embedder, log), log });
}

/** Loaded with the first facts that are compared with a message: the lists of words are large. */
function loadWords(): () => Promise<TextWords> {
  let words: Promise<TextWords> | undefined;
  return () =>
    (words ??= import('../../adapters/shared/words/short-text-words.ts').then((loaded) => new loaded.ShortTextWords()));
}

/** Drops the vectors of what a user erases. */
function forgetting(store: MemoryStore, vectors: FactVectors | undefined): MemoryStore {
  if (vectors === undefined) return store;
  return {
    ...store,
    erase: async (userKey, id, at) => {
      const count = await store.erase(userKey, id, at);
      vectors.forget(userKey);
      return count;
    },
  };
}

/** What is remembered about users, for one configuration after another (contract/memory.md). */
export class LiveMemory implements Resource {
  readonly name = 'memory';
  readonly store: MemoryStore;
  readonly #services: MemoryServices;
  readonly #capture: FactCapture;
  readonly #settings: MemorySettings;
  readonly #vectors: FactVectors | undefined;
  readonly #byWords: FactRanking;
  readonly #byMeaning: FactRanking;
  #classifier: Classifier | undefined;
  #ranking: FactRanking;
  #isCapturing = false;
  #purging: DailyPurge | undefined;

  /** `services.store` is that of users; what is said without a name stays in this process. */
  constructor(settings: MemorySettings, services: MemoryServices) {
    const words = loadWords();
    this.#vectors = vectorsOf(settings, services);
    this.#byWords = new FactRanking({ words });
    this.#byMeaning = new FactRanking({ words, vectors: this.#vectors });
    this.#ranking = this.#byWords;
    this.store = forgetting(memoryByUser(services.store, new InMemoryMemoryStore(mostConnections)), this.#vectors);
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

  /** What turns of these settings go by; undefined unless `useMemoryContext` is on. Facts are looked for with `classifier` from now on. */
  by(settings: HelperSettings, classifier: Classifier): Memory | undefined {
    this.#classifier = classifier;
    this.#isCapturing = settings.useMemoryContext && settings.memoryAutoCapture;
    this.#ranking = settings.memoryRelevanceFiltering ? this.#byMeaning : this.#byWords;
    if (!settings.useMemoryContext) return undefined;
    return {
      store: this.store,
      count: settings.memoryContextCount,
      isFiltering: settings.memoryRelevanceFiltering,
      ranking: this.#ranking,
      capture: settings.memoryAutoCapture ? this.#capture : undefined,
    };
  }

  /** Deletes what is too old, now and daily, and goes on with what earlier processes have left where `isCapturing`. Never rejects. */
  async start(isCapturing: boolean): Promise<void> {
    this.#purging = new DailyPurge('memory', () => this.#purge(), this.#services);
    await this.#purging.now();
    if (!isCapturing) return;
    await this.#capture.takeUp().catch((error: unknown) => {
      this.#services.log.warn({ error }, 'what users have said could not be looked through for facts');
    });
  }

  async close(): Promise<void> {
    await this.#purging?.close();
    this.#capture.close();
    this.#vectors?.close();
  }

  #purge(): Promise<number> {
    const { retention, dataProtection } = this.#settings;
    const now = this.#services.clock.now();
    const facts = retention.memory === null ? 0 : now - retention.memory;
    // No turn of an earlier process goes on for longer.
    return this.store.purge({ facts, captures: now - dataProtection.maxAge });
  }
}
