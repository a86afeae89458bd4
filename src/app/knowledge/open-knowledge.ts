import type { HelperSettings } from '../../config/settings.ts';
import type { HttpSource } from '../../adapters/action-callback/http-source.ts';
import type { FilesSource } from '../../adapters/knowledge/files/files-source.ts';
import { StartupFaults } from '../../core/errors/startup-fault.ts';
import { Classifier } from '../../core/classifier/classifier.ts';
import { mayRead } from '../../core/identity/may-read.ts';
import { keywordsFor as keywordsOf } from '../../core/knowledge/find-documents.ts';
import type { ChatModel } from '../../core/ports/chat-model.ts';
import type { Knowledge } from '../../core/knowledge/knowledge.ts';
import type { KnowledgeSource } from '../../core/ports/knowledge-source.ts';
import type { PassageVectorStore } from '../../core/ports/passage-vector-store.ts';
import type { DocumentCounts } from '../../core/ports/metrics.ts';
import type { FolderFigures } from '../../wire/admin-metrics.ts';
import type { ReadinessCheck } from '../../channels/ops/readiness.ts';
import type { Resource } from '../open-resources.ts';
import type { ToolProvider } from '../providers/tool-provider.ts';
import { folderFigures } from './folder-figures.ts';
import { type AllSources, type KnowledgeQuery, type KnowledgeReport, reportKnowledge } from './report-knowledge.ts';
import { embeddersOf, openSources, type SourceServices } from './open-sources.ts';

/** Codes of this file. Documented in `docs/reference/warnings.md`. */
const codes = { nothingToSearch: 'HLP1040', noVectors: 'HLP1023' } as const;

/** All sources in which documents are found. */
export interface KnowledgeSources extends Resource {
  /** What turns with these settings use; undefined unless `useRag` is on. */
  by(settings: HelperSettings): Knowledge | undefined;
  /**
   * Begins to read the folders in the background as soon as `useRag` is on. The lock of `storage.path` must be held. Vectors are kept in
   * `kept`, too.
   */
  start(kept?: PassageVectorStore): void;
  /** From now on these settings apply (contract/operations.md#reload). */
  serveWith(settings: HelperSettings): void;
  /** The number of documents in each folder now. */
  counts(): readonly DocumentCounts[];
  /** The folders as the dashboard shows them. */
  folders(): readonly FolderFigures[];
  /** What `helper knowledge` shows. */
  report(asked: KnowledgeQuery): Promise<KnowledgeReport>;
  /** For `/readyz`. */
  readiness(): readonly ReadinessCheck[];
  warnings(): readonly { readonly code: string; readonly message: string }[];
}

/** What `helper knowledge` needs to ask as a message does. */
interface Explaining {
  /** The model behind `classifierChatClient` now. */
  readonly smallModel: () => ChatModel;
}

/** Milliseconds that `helper knowledge` waits for keywords at most. The model is asked with a limit of its own, which is shorter. */
const keywordsWithinMs = 5_000;

/**
 * Opens the sources of `ragSources` and joins them with those of plugins and callbacks (contract/knowledge.md#sources).
 * @throws StartupFaults when two sources share a name.
 */
export async function openKnowledge(
  settings: HelperSettings,
  providers: readonly ToolProvider[],
  services: SourceServices & Explaining,
): Promise<KnowledgeSources> {
  const { http, files } = await openSources(settings, services);
  const own = [...[...http.values()].map(({ source }) => source), ...files.values()];
  const sources = (): readonly KnowledgeSource[] => [
    ...own,
    ...providers.flatMap(({ knowledgeSources }) => knowledgeSources?.() ?? []),
  ];
  refuseClashes(settings, own, providers);
  for (const { name } of sources()) services.metrics.expect({ kind: 'knowledge', source: name });
  let serving = settings;
  let isStarted = false;
  let keptIn: PassageVectorStore | undefined;
  const startFolders = (): void => {
    if (isStarted && serving.useRag) for (const source of files.values()) source.start(keptIn);
  };
  return {
    name: 'sources of documents',
    by: (given) => (given.useRag ? knowledgeOf(given, sources) : undefined),
    start: (kept) => {
      isStarted = true;
      keptIn = kept;
      startFolders();
    },
    serveWith: (changed) => {
      serving = changed;
      const embedders = embeddersOf(changed, services.embedders);
      for (const [name, source] of files) source.embedBy(embedders.get(name));
      startFolders();
      for (const source of changed.ragSources) {
        if (source.type === 'http') http.get(source.name)?.renewSecret(source.secret);
      }
    },
    counts: () => (serving.useRag ? [...files].map(([source, { state }]) => ({ source, ...countsOf(state) })) : []),
    folders: () => (serving.useRag ? [...files].map(([source, { state }]) => folderFigures(source, state)) : []),
    report: (asked) => {
      const settingsOf = knowledgeOf(serving, sources);
      const keywordsFor: AllSources['keywordsFor'] = (query, { roles, tenant }) => {
        const reader = { roles: new Set(roles), tenant };
        const open = sources().filter((source) => mayRead(source, reader));
        const signal = AbortSignal.timeout(keywordsWithinMs);
        const classifier = new Classifier(services.smallModel());
        return keywordsOf(open, { query, tenant, signal, knowledge: settingsOf }, { classifier, log: services.log });
      };
      return reportKnowledge({ http, files, ...settingsOf, isOn: serving.useRag, keywordsFor }, asked);
    },
    readiness: () =>
      serving.useRag
        ? [...http, ...files].map(([name, { state }]) => ({ name: `documents:${name}`, state: readinessOf(state) }))
        : [],
    warnings: () => warningsOf(settings, sources()),
    close: async () => {
      await Promise.all([...http.values(), ...files.values()].map((source) => source.close()));
    },
  };
}

/** A source that is not complete counts as degraded: answers go on without it, so no source makes the server fail. */
function readinessOf(state: HttpSource['state'] | FilesSource['state']): 'ok' | 'degraded' {
  const isWhole =
    state === 'ok' || (typeof state === 'object' && state.phase === 'ready' && state.vectors?.fault === undefined);
  return isWhole ? 'ok' : 'degraded';
}

function countsOf({
  documents,
  chunks,
  faultCount: faults,
  passedOver: { count: passedOver },
  vectors,
}: FilesSource['state']): Omit<DocumentCounts, 'source'> {
  return { documents, chunks, faults, passedOver, ...(vectors !== undefined && { vectors: vectors.chunks }) };
}

function knowledgeOf(settings: HelperSettings, sources: () => readonly KnowledgeSource[]): Knowledge {
  return {
    sources,
    resultCount: settings.ragResultCount,
    minScore: settings.ragMinScore,
    template: settings.ragSystemPromptTemplate,
    showSources: settings.showRagSources,
    showExcerpts: settings.showRagExcerpts,
    // Without a small model each question would cost a call of the large one.
    rewritesQueries: settings.ragQueryRewrite && settings.classifierChatClient !== undefined,
    knowsUsers: settings.auth.jwt !== null,
  };
}

/** The name of every callback counts, because its source has the same name, and a callback says only later whether it has a source. */
function refuseClashes(
  { configFile, actions }: HelperSettings,
  own: readonly KnowledgeSource[],
  providers: readonly ToolProvider[],
): void {
  const callbacks = actions === 'none' ? [] : actions.callbacks.map(({ name }) => name);
  const foreign = providers.flatMap(({ knowledgeSources }) => knowledgeSources?.() ?? []).map(({ name }) => name);
  const names = [...own.map(({ name }) => name), ...callbacks, ...foreign.filter((name) => !callbacks.includes(name))];
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  if (twice.length === 0) return;
  throw new StartupFaults(
    twice.map((name) => ({
      file: configFile,
      path: 'ragSources',
      message: `two sources of documents have the name ${name}: those of this file, of plugins and of callbacks share one list of names`,
    })),
  );
}

function warningsOf(
  settings: HelperSettings,
  sources: readonly KnowledgeSource[],
): ReturnType<KnowledgeSources['warnings']> {
  return [...sourceWarnings(settings, sources), ...vectorWarnings(settings)];
}

function vectorWarnings({
  useRag,
  ragSources,
  useMemoryContext,
  memoryRelevanceFiltering,
  enableToolFiltering,
  embeddingGenerator,
  ...settings
}: HelperSettings): ReturnType<KnowledgeSources['warnings']> {
  const ofFolders = useRag && ragSources.some(({ type, embeddings }) => type === 'files' && embeddings === undefined);
  const ofFacts = useMemoryContext && memoryRelevanceFiltering;
  const ofRouting = settings.strongChatClient !== undefined && settings.routingStrategy === 'Semantic';
  const isUsed = ofFolders || ofFacts || ofRouting || enableToolFiltering === true;
  if (embeddingGenerator === undefined || isUsed) return [];
  const message =
    'embeddingGenerator has no effect: set useRag: true and give ragSources a folder (type: files) without embeddings of its own, or set useMemoryContext and memoryRelevanceFiltering: true, or enableToolFiltering: true, or strongChatClient and routingStrategy: Semantic.';
  return [{ code: codes.noVectors, message }];
}

function sourceWarnings(
  { useRag, actions }: HelperSettings,
  sources: readonly KnowledgeSource[],
): ReturnType<KnowledgeSources['warnings']> {
  const mayCome = actions !== 'none' && actions.callbacks.length > 0;
  if (useRag && sources.length === 0 && !mayCome) {
    const message =
      'useRag is on, but there is no source of documents: give ragSources, or providers.ragSources of a plugin.';
    return [{ code: codes.nothingToSearch, message }];
  }
  return [];
}
