import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { FilesSource } from '../../src/adapters/knowledge/files/files-source.ts';
import type { FilesSourceSettings } from '../../src/adapters/knowledge/files/files-source-settings.ts';
import { IndexThread } from '../../src/adapters/knowledge/files/index-thread.ts';
import { openFilesSources } from '../../src/adapters/knowledge/files/open-files-sources.ts';
import type { Embedder } from '../../src/core/ports/embedder.ts';
import type { FoundDocument } from '../../src/core/ports/knowledge-source.ts';
import type { PassageVectorStore } from '../../src/core/ports/passage-vector-store.ts';
import type { SeenUser } from '../../src/core/ports/seen-user.ts';
import { patienceMs } from './patience.ts';
import { recordingLogger } from './quiet.ts';

/** The thread as it ships: it and the process that reads start in half the CPU time that their sources take. */
const builtIndexProgram = new URL('../../dist/chunks/knowledge-index.js', import.meta.url);

/** What a test may set of its source. The folder and the name are set already. */
export interface FolderOptions {
  readonly settings?: Partial<FilesSourceSettings>;
  /** The folder of the index. Left out, the index is in memory. */
  readonly index?: string;
  readonly program?: URL;
  /** The embedding model that gives documents their vectors. Left out, documents have no vectors. */
  readonly embedder?: Embedder;
  /** The other embedding models that are configured. */
  readonly others?: readonly Embedder[];
  /** Keeps vectors outside of the index. Left out, they are in the index alone. */
  readonly kept?: PassageVectorStore;
}

/** Makes an empty folder, which is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'documents-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Writes files, by their path in the folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Opens the source of a folder of documents. Resolves when the source has read the folder once. */
export async function openFolder(path: string, options: FolderOptions = {}): Promise<OpenedFolder> {
  const settings: FilesSourceSettings = {
    name: 'docs',
    path,
    requiredRoles: [],
    trusted: false,
    refreshMs: 100,
    timeoutMs: 3_000,
    ...options.settings,
  };
  const log = recordingLogger();
  const [source] = openFilesSources([settings], {
    folder: options.index,
    log,
    ...(options.embedder !== undefined && { embedders: new Map([['docs', options.embedder]]) }),
    findEmbedder: (identity) => Promise.resolve(options.others?.find((other) => other.identity === identity)),
    thread: new IndexThread(options.program ?? builtIndexProgram),
  });
  if (source === undefined) throw new Error('there is no source');
  onTestFinished(() => source.close());
  source.start(options.kept);
  const opened = new OpenedFolder(source, log);
  await vi.waitFor(() => {
    if (source.state.phase === 'indexing') throw new Error(`still ${source.state.phase}`);
  }, often);
  return opened;
}

/** Opens the sources of several folders, which share a thread. Resolves when all sources have read their folders once. */
export async function openFolders(paths: readonly string[], index: string): Promise<readonly FilesSource[]> {
  const settings = paths.map((path, number) => ({ ...plainSettings, name: `docs-${String(number)}`, path }));
  const sources = openFilesSources(settings, {
    folder: index,
    log: recordingLogger(),
    thread: new IndexThread(builtIndexProgram),
  });
  for (const source of sources) {
    onTestFinished(() => source.close());
    source.start();
  }
  await vi.waitFor(() => {
    if (sources.some(({ state }) => state.phase === 'indexing')) throw new Error('still indexing');
  }, often);
  return sources;
}

const plainSettings = { requiredRoles: [], trusted: false, refreshMs: 60_000, timeoutMs: 3_000 };

/** Another process reads the files, and each of them may take 15 s of work. */
const often = { timeout: 2 * patienceMs, interval: 10 };

/** A signed-in user who asks. */
export function user(roles: readonly string[], tenant?: string): SeenUser {
  return { id: 'ann', name: 'Ann', roles, claims: {}, isAuthenticated: true, ...(tenant !== undefined && { tenant }) };
}

/** A source and what it has logged. */
export class OpenedFolder {
  readonly source: FilesSource;
  readonly log: ReturnType<typeof recordingLogger>;

  constructor(source: FilesSource, log: ReturnType<typeof recordingLogger>) {
    this.source = source;
    this.log = log;
  }

  async find(query: string, asking: SeenUser | null = null, maxResults = 5): Promise<readonly FoundDocument[]> {
    const request = { query, maxResults, recentMessages: [], user: asking, pageName: null, pageData: null };
    const { documents } = await this.source.search(request, AbortSignal.timeout(5_000));
    return documents;
  }

  /** The titles of the documents that a question finds together with these keywords. */
  async titlesWith(query: string, keywords: readonly string[]): Promise<readonly string[]> {
    const request = { query, keywords, maxResults: 5, recentMessages: [], user: null, pageName: null, pageData: null };
    const { documents, defaultMinScore = 0 } = await this.source.search(request, AbortSignal.timeout(5_000));
    return documents.filter(({ score }) => score >= defaultMinScore).map(({ title }) => title);
  }

  async titles(query: string, asking: SeenUser | null = null, maxResults = 5): Promise<readonly string[]> {
    return (await this.find(query, asking, maxResults)).map(({ title }) => title);
  }

  /** Waits until `isSo` returns true. Fails after a limit of time. */
  async until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    await vi.waitFor(async () => {
      if (!(await isSo())) throw new Error(`not so yet: ${JSON.stringify(this.source.state)}`);
    }, often);
  }

  /** The reason why each file was left out, by the file's path, as the source's state tells it. */
  faults(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.source.state.faults.map(({ file, reason }) => [file, reason]));
  }

  logged(message: string): readonly object[] {
    return this.log.lines.filter((line) => line.message === message).map(({ fields }) => fields);
  }
}
