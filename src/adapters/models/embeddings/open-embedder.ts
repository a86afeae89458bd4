import { knownProvider } from '../../../core/base/known-providers.ts';
import type { Embedder, FollowEmbedding } from '../../../core/ports/embedder.ts';
import type { Logger } from '../../../core/ports/logger.ts';
import type { Metrics } from '../../../core/ports/metrics.ts';
import { missingPluginModel } from '../missing-plugin-model.ts';
import { azureEndpoint, embeddingsDoor, openAiEndpoint } from '../openai-wire/wire-endpoint.ts';
import { CheckedEmbedder } from './checked-embedder.ts';
import { identityOf } from './embedder-identity.ts';
import type { EmbeddingSettings } from './embedding-settings.ts';
import type { RawEmbedder } from './raw-embedder.ts';

export interface OpenEmbedderOptions {
  /** The entry of `models` to open. */
  readonly name: string;
  readonly models: Readonly<Record<string, EmbeddingSettings>>;
  /** The models of all loaded plugins, by name. */
  readonly pluginModels: ReadonlyMap<string, object>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'of' | 'expect'>;
  /** Wraps the model to follow its calls. Left out: nobody follows them. */
  readonly followed?: FollowEmbedding | undefined;
  /** Whether faults repeat the provider's words, which may repeat documents and questions (`observabilityIncludeSensitiveData`). */
  readonly includeSensitive?: boolean;
}

/**
 * Opens an entry of `models` with `kind: embeddings` (contract/models.md#embeddings). Nothing is called yet.
 * @throws Error that names the entry, what is wrong with it and what to do.
 */
export async function openEmbedder({ name, models, pluginModels, ...rules }: OpenEmbedderOptions): Promise<Embedder> {
  try {
    const settings = Object.hasOwn(models, name) ? models[name] : undefined;
    if (settings?.kind !== 'embeddings') throw new Error('is no entry with kind: embeddings');
    const raw = await openProvider(settings, pluginModels);
    return new CheckedEmbedder(raw, { ...settings, ...rules, entry: name, identity: identityOf(settings, raw) });
  } catch (error) {
    throw new Error(`models.${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

async function openProvider(
  settings: EmbeddingSettings,
  pluginModels: ReadonlyMap<string, object>,
): Promise<RawEmbedder> {
  const { provider, plugin } = settings;
  if (plugin !== undefined) {
    const embeddings = pluginModels.get(plugin);
    if (embeddings === undefined) throw new Error(missingPluginModel(plugin, pluginModels));
    const { openPluginEmbedder } = await import('./langchain-embedder.ts');
    return openPluginEmbedder(settings, { embeddings, name: plugin });
  }
  if (provider === undefined) throw new Error('provider or plugin is missing');
  if (provider !== 'openai' && provider !== 'azure' && knownProvider(provider)?.hasEmbeddings !== true) {
    const { openPackageEmbedder } = await import('./langchain-embedder.ts');
    return openPackageEmbedder(settings, provider);
  }
  const { OpenAiEmbedder } = await import('./openai-embedder.ts');
  const endpoint =
    provider === 'azure' ? azureEndpoint(settings, embeddingsDoor) : openAiEndpoint(settings, embeddingsDoor);
  return new OpenAiEmbedder({ endpoint, provider, extraFields: settings.options ?? {} });
}
