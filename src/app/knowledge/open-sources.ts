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
  /** By the name of its entry. @throws Error when the configuration does not use it. */
  get(name: string): Embedder;
  /** A model that is configured, used or not, by the identity of its vectors. Never rejects. */
  find(identity: string): Promise<Embedder | undefined>;
}

type SourceOf<Type extends RagSourceSettings['type']> = Extract<RagSourceSettings, { readonly type: Type }>;

/**
 * Makes the sources of `ragSources` (contract/knowledge.md#sources). Nothing is read or asked yet. What a kind of source needs is loaded
 * only for those who have one.
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

/** By which model each folder is searched by meaning too, by the name of the folder. */
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
