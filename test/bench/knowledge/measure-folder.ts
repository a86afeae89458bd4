/**
 * A process that indexes a folder from nothing, looks through it again and asks 1,000 questions, and sends its parent the figures. Its own
 * memory is one of them.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FilesSource } from '../../../src/adapters/knowledge/files/files-source.ts';
import { openFilesSources } from '../../../src/adapters/knowledge/files/open-files-sources.ts';
import { openEmbedder } from '../../../src/adapters/models/embeddings/open-embedder.ts';
import type { Embedder } from '../../../src/core/ports/embedder.ts';
import { recordingLogger, recordingMetrics } from '../../support/quiet.ts';
import type { BenchQuestion } from './make-documents.ts';

/** The job that the process gets from its parent. */
export interface FolderJob {
  readonly folder: string;
  readonly index: string;
  readonly questions: readonly BenchQuestion[];
  /** The address of the server for vectors. With null the search uses words alone. */
  readonly embeddingsUrl: string | null;
}

/** The figures that the process has measured. */
export interface FolderFigures {
  readonly documents: number;
  readonly chunks: number;
  readonly indexMs: number;
  /** Milliseconds from the end of indexing to the last vector. NaN without vectors. */
  readonly vectorsMs: number;
  readonly loopLagMs: number;
  readonly againMs: number;
  readonly questionP50Ms: number;
  readonly questionP95Ms: number;
  readonly firstPercent: number;
  readonly memoryMiB: number;
  readonly diskMiB: number;
}

async function measure(job: FolderJob): Promise<FolderFigures> {
  const embedder = job.embeddingsUrl === null ? undefined : await openVectors(job.embeddingsUrl);
  const restMiB = residentMiB();
  const source = open(job, embedder);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const indexMs = await untilReady(source);
  const vectorsMs = embedder === undefined ? Number.NaN : await untilWhole(source);
  delay.disable();
  const { chunks, documents, faultCount } = source.state;
  if (documents === 0 || faultCount > 0) throw new Error(`indexed ${String(documents)}, faults: ${String(faultCount)}`);
  const asked = await ask(source, job.questions);
  const memoryMiB = residentMiB() - restMiB;
  await source.close();
  const again = open(job, embedder);
  const againMs = await untilReady(again);
  await again.close();
  await embedder?.close();
  const bytes = readdirSync(job.index).map((name) => statSync(join(job.index, name)).size);
  return {
    documents,
    chunks,
    indexMs,
    vectorsMs,
    loopLagMs: delay.percentile(99) / 1e6 - 5,
    againMs,
    questionP50Ms: percentile(asked.times, 50),
    questionP95Ms: percentile(asked.times, 95),
    firstPercent: asked.firstPercent,
    memoryMiB,
    diskMiB: bytes.reduce((sum, size) => sum + size, 0) / 2 ** 20,
  };
}

function openVectors(baseUrl: string): Promise<Embedder> {
  const entry = { kind: 'embeddings', provider: 'openai', model: 'bench', apiKey: 'none', baseUrl } as const;
  return openEmbedder({
    name: 'vectors',
    models: { vectors: { ...entry, timeout: 60_000, maxRetries: 0 } },
    pluginModels: new Map(),
    log: recordingLogger(),
    metrics: recordingMetrics(),
  });
}

function open({ folder, index }: FolderJob, embedder: Embedder | undefined): FilesSource {
  const entry = { name: 'bench', path: folder, requiredRoles: [], trusted: false };
  const settings = { ...entry, refreshMs: 3_600_000, timeoutMs: 3_000, minCosine: 0.15 };
  const embedders = new Map(embedder === undefined ? [] : [['bench', embedder]]);
  const [source] = openFilesSources([settings], { folder: index, log: recordingLogger(), embedders });
  if (source === undefined) throw new Error('there is no source');
  return source;
}

async function untilReady(source: FilesSource): Promise<number> {
  const begin = performance.now();
  source.start();
  while (source.state.phase === 'indexing') await sleep(5);
  return performance.now() - begin;
}

async function untilWhole(source: FilesSource): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const { vectors, chunks } = source.state;
    if (vectors?.fault !== undefined) throw new Error(vectors.fault);
    if (vectors?.chunks === chunks) return performance.now() - begin;
    await sleep(5);
  }
}

async function ask(
  source: FilesSource,
  questions: readonly BenchQuestion[],
): Promise<{ readonly times: readonly number[]; readonly firstPercent: number }> {
  const times: number[] = [];
  let first = 0;
  for (const { text, title } of questions) {
    const begin = performance.now();
    const { documents } = await source.search(
      { query: text, maxResults: 5, recentMessages: [], user: null, pageName: null, pageData: null },
      AbortSignal.timeout(3_000),
    );
    times.push(performance.now() - begin);
    if (documents[0]?.title.startsWith(`${title} ›`) === true) first += 1;
  }
  return { times, firstPercent: (100 * first) / questions.length };
}

function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length * percent) / 100)] ?? 0;
}

function residentMiB(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}

process.once('message', (job) => {
  // The parent sends a job, and nothing else.
  measure(job as FolderJob).then(
    (figures) => process.send?.(figures, undefined, undefined, () => process.exit()),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
