/**
 * What a folder of documents costs the server: `npm run bench -- --knowledge`. It indexes 2,000 files from nothing, looks through them
 * again, and asks 1,000 questions. The figures are of this process, but for the ones of the process that reads.
 */
import { mkdtempSync, rmSync, statSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FilesSource } from '../../../src/adapters/knowledge/files/files-source.ts';
import { openFilesSources } from '../../../src/adapters/knowledge/files/open-files-sources.ts';
import { recordingLogger } from '../../support/quiet.ts';
import { type BenchQuestion, makeDocuments } from './make-documents.ts';

/** What was measured, and what it must not exceed. */
interface KnowledgeFigure {
  readonly name: string;
  readonly value: number;
  readonly most?: number;
}

/** Prints the figures. The process fails when one of them exceeds what it must not. */
export async function benchKnowledge(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-knowledge-'));
  try {
    const figures = await measure(directory);
    for (const { name, value, most } of figures) {
      const limit = most === undefined ? '' : `  (at most ${String(most)}: ${value <= most ? 'ok' : 'TOO MUCH'})`;
      console.log(`${name.padEnd(52)} ${value.toFixed(1).padStart(9)}${limit}`);
    }
    if (figures.some(({ value, most }) => most !== undefined && value > most)) process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(directory: string): Promise<readonly KnowledgeFigure[]> {
  const folder = join(directory, 'documents');
  const questions = makeDocuments(folder);
  const restMiB = residentMiB();
  const source = open(folder, join(directory, 'index'));
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const indexMs = await untilReady(source);
  delay.disable();
  const { chunks, documents, faultCount } = source.state;
  if (documents === 0 || faultCount > 0) throw new Error(`indexed ${String(documents)}, faults: ${String(faultCount)}`);
  const asked = await ask(source, questions);
  const usedMiB = residentMiB() - restMiB;
  await source.close();
  const again = open(folder, join(directory, 'index'));
  const againMs = await untilReady(again);
  await again.close();
  const indexBytes = readdirSync(join(directory, 'index')).map((name) => statSync(join(directory, 'index', name)).size);
  return [
    { name: 'documents', value: documents },
    { name: 'parts', value: chunks },
    { name: 'indexed from nothing, s', value: indexMs / 1_000, most: 15 },
    { name: 'event loop meanwhile, p99 lag over the 5 ms tick, ms', value: delay.percentile(99) / 1e6 - 5, most: 20 },
    { name: 'a start with nothing changed, ms', value: againMs },
    { name: 'question p50, ms', value: percentile(asked.times, 50) },
    { name: 'question p95, ms', value: percentile(asked.times, 95), most: 5 },
    { name: 'questions that find their document first, %', value: asked.firstPercent },
    { name: 'memory more, MiB', value: usedMiB, most: 60 },
    { name: 'index on disk, MiB', value: indexBytes.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20 },
  ];
}

function open(folder: string, index: string): FilesSource {
  const settings = {
    name: 'bench',
    path: folder,
    requiredRoles: [],
    trusted: false,
    refreshMs: 3_600_000,
    timeoutMs: 3_000,
  };
  const [source] = openFilesSources([settings], { folder: index, log: recordingLogger() });
  if (source === undefined) throw new Error('there is no source');
  return source;
}

async function untilReady(source: FilesSource): Promise<number> {
  const begin = performance.now();
  source.start();
  while (source.state.phase === 'indexing') await sleep(5);
  return performance.now() - begin;
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
