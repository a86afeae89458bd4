import { untilStopped } from '../../../core/base/until-stopped.ts';
import type { EmbedRequest } from '../../../core/ports/embedder.ts';
import { listOf, objectOf, textOf } from '../json-values.ts';
import { langChainFault } from '../langchain/langchain-fault.ts';
import { construct, type WantedClass } from '../langchain/package-class.ts';
import { secretCleaner } from '../model-secrets.ts';
import type { EmbeddingSettings } from './embedding-settings.ts';
import type { RawEmbedder, RawEmbeddings } from './raw-embedder.ts';

/**
 * The part of LangChain's `Embeddings` that this server uses. The type is structural, because a plugin may bring its own copy of LangChain.
 */
interface Embeddings {
  embedDocuments(texts: string[]): Promise<unknown>;
  embedQuery(text: string): Promise<unknown>;
}

const embeddings: WantedClass<Embeddings> = {
  title: 'embeddings class',
  isNamed: (name) => name.endsWith('Embeddings'),
  is: isEmbeddings,
};

/** Builds the embeddings of an installed LangChain package. @throws Error that names the package or class and what to do. */
export async function openPackageEmbedder(settings: EmbeddingSettings, provider: string): Promise<RawEmbedder> {
  const { model, apiKey, options } = settings;
  // The package must not retry by itself, because this server does.
  const given = { ...(model !== undefined && { model }), ...(apiKey !== undefined && { apiKey }), ...options };
  const made = await construct(embeddings, { provider, className: settings.class }, { ...given, maxRetries: 0 });
  return new LangChainEmbedder(made, { settings, provider, name: provider });
}

/**
 * Uses the embeddings of a plugin.
 * @throws Error when the plugin's model is none.
 */
export function openPluginEmbedder(
  settings: EmbeddingSettings,
  { embeddings: made, name }: { readonly embeddings: object; readonly name: string },
): RawEmbedder {
  if (!isEmbeddings(made)) throw new Error(`the plugin's model "${name}" has no embedDocuments and embedQuery`);
  return new LangChainEmbedder(made, { settings, provider: 'plugin', name });
}

function isEmbeddings(value: unknown): value is Embeddings {
  const candidate = objectOf(value);
  return typeof candidate?.['embedDocuments'] === 'function' && typeof candidate['embedQuery'] === 'function';
}

/** LangChain's embeddings take no signal and report no usage. A call that is given up goes on, and its result is ignored. */
class LangChainEmbedder implements RawEmbedder {
  readonly model: string;
  readonly provider: string;
  readonly #made: Embeddings;
  readonly #clean: (text: string) => string;

  constructor(
    made: Embeddings,
    about: { readonly settings: EmbeddingSettings; readonly provider: string; readonly name: string },
  ) {
    const fields = objectOf(made);
    this.#made = made;
    this.#clean = secretCleaner(about.settings);
    this.provider = about.provider;
    this.model = about.settings.model ?? textOf(fields?.['model']) ?? textOf(fields?.['modelName']) ?? about.name;
  }

  async embed({ texts, purpose, signal }: EmbedRequest): Promise<RawEmbeddings> {
    try {
      const given = await untilStopped(this.#ask(texts, purpose), signal);
      return { vectors: texts.map((_, index) => given[index]), inputTokens: 0 };
    } catch (error) {
      signal.throwIfAborted();
      throw langChainFault(error, { begun: false, clean: this.#clean });
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #ask(texts: readonly string[], purpose: EmbedRequest['purpose']): Promise<readonly unknown[]> {
    if (purpose === 'question') return Promise.all(texts.map((text) => this.#made.embedQuery(text)));
    const given = await this.#made.embedDocuments([...texts]);
    return listOf(given);
  }
}
