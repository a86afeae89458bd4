import type { HttpSource } from '../../adapters/action-callback/http-source.ts';
import type { FilesSource } from '../../adapters/knowledge/files/files-source.ts';
import type { HelperSettings, RagSourceSettings } from '../../config/settings.ts';
import type { Embedder } from '../../core/ports/embedder.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { Metrics } from '../../core/ports/metrics.ts';

/** The sources of `ragSources`, by name. */
export interface OpenedSources {
  readonly http: ReadonlyMap<string, HttpSource>;
  readonly files: ReadonlyMap<string, FilesSource>;
}

/** What sources are opened with. */
export interface SourceServices {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly embedders: EmbeddersOfSources;
}

/** The models that give texts their vectors. */
export interface EmbeddersOfSources {
  /** The model of the entry with this name. @throws Error when the configuration does not use the entry. */
  get(name: string): Embedder;
  /** The configured model whose vectors have this identity, even if the configuration does not use it. Never rejects. */
  find(identity: string): Promise<Embedder | undefined>;
}

type SourceOf<Type extends RagSourceSettings['type']> = Extract<RagSourceSettings, { readonly type: Type }>;

/**
 * Makes the sources of `ragSources` (contract/knowledge.md#sources). Nothing is read or asked yet. The code for a kind of source is loaded
 * only when the configuration has such a source.
 */
export async function openSources(settings: HelperSettings, services: SourceServices): Promise<OpenedSources> {
  const { ragSources } = settings;
  const http = ragSources.filter((source) => source.type === 'http');
  const files = ragSources.filter((source) => source.type === 'files');
  return {
    http: http.length === 0 ? new Map() : await httpSources(http, services),
    files: files.length === 0 ? new Map() : await filesSources(files, settings, services),
  };
}

async function httpSources(
  entries: readonly SourceOf<'http'>[],
  services: { readonly log: Logger; readonly metrics: Metrics },
): Promise<ReadonlyMap<string, HttpSource>> {
  const { HttpSource } = await import('../../adapters/action-callback/http-source.ts');
  return new Map(entries.map((entry) => [entry.name, new HttpSource(entry, services)]));
}

async function filesSources(
  entries: readonly SourceOf<'files'>[],
  configuration: HelperSettings,
  { log, embedders }: SourceServices,
): Promise<ReadonlyMap<string, FilesSource>> {
  const { openFilesSources } = await import('../../adapters/knowledge/files/open-files-sources.ts');
  const { storage } = configuration;
  const folder = storage.type === 'memory' ? undefined : storage.path;
  const findEmbedder = (identity: string): Promise<Embedder | undefined> => embedders.find(identity);
  const services = { folder, log, embedders: embeddersOf(configuration, embedders), findEmbedder };
  const settings = entries.map(({ refresh: refreshMs, timeout: timeoutMs, embeddings: _, ...entry }) => ({
    ...entry,
    refreshMs,
    timeoutMs,
  }));
  return new Map(openFilesSources(settings, services).map((source) => [source.name, source]));
}

/** The embedding models of the folders that are searched by meaning too, by the name of the folder. */
export function embeddersOf(
  { ragSources, embeddingGenerator }: HelperSettings,
  embedders: EmbeddersOfSources,
): ReadonlyMap<string, Embedder> {
  const folders = ragSources.filter(({ type }) => type === 'files');
  return new Map(
    folders.flatMap(({ name, embeddings = embeddingGenerator }) =>
      embeddings === undefined ? [] : [[name, embedders.get(embeddings)] as const],
    ),
  );
}
