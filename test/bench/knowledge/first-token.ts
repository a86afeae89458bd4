import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSse } from '../../support/sse-client.ts';
import { freePort, programPath, startNode, stop, waitForPort } from '../processes/child-processes.ts';
import { fullWith, type RunningTarget, startTarget } from '../targets.ts';
import type { BenchQuestion } from './make-documents.ts';

/** Milliseconds from a message to the first text of its reply, at the 95th percentile. */
export interface FirstTokenFigures {
  readonly withoutMs: number;
  readonly wordsMs: number;
  readonly bothMs: number;
}

interface FirstTokenJob {
  readonly directory: string;
  readonly folder: string;
  readonly questions: readonly BenchQuestion[];
  readonly embeddingsUrl: string;
}

type Settings = Exclude<Parameters<typeof fullWith>[1], (...given: never) => unknown>;

/** The number of messages before the measurement, so that all code is compiled. */
const warming = 50;
const readyWithinMs = 120_000;

/**
 * Measures how much documents delay the first text of a turn. Asks three servers in turn: without documents, with search by words, and with
 * vectors.
 */
export async function measureFirstToken(job: FirstTokenJob): Promise<FirstTokenFigures> {
  execFileSync(process.execPath, [programPath(new URL('../../../scripts/build.ts', import.meta.url)), '--if-stale'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const directory = join(job.directory, 'first-token');
  mkdirSync(directory);
  const upstreamPort = await freePort();
  const upstream = startNode({
    core: 'load',
    command: [programPath(new URL('../upstream.ts', import.meta.url)), '--port', String(upstreamPort)],
    logFile: join(directory, 'upstream.log'),
  });
  const running: RunningTarget[] = [];
  try {
    await waitForPort(upstream, upstreamPort);
    for (const target of [fullWith('without', {}), fullWith('words', words(job)), fullWith('both', both(job))]) {
      const server = await startTarget(target, { upstreamPort, receiverPort: upstreamPort, model: 's1d0', directory });
      running.push(server);
      await untilReady(server);
    }
    const [withoutMs = Number.NaN, wordsMs = Number.NaN, bothMs = Number.NaN] = await askInTurn(running, job.questions);
    return { withoutMs, wordsMs, bothMs };
  } finally {
    for (const { child } of running) if (child !== undefined) await stop(child);
    await stop(upstream);
  }
}

/** Milliseconds at the 95th percentile for each server. The servers take turns, so that other work of the machine affects all of them. */
async function askInTurn(
  servers: readonly RunningTarget[],
  questions: readonly BenchQuestion[],
): Promise<readonly number[]> {
  const times = servers.map((): number[] => []);
  for (const [index, { text }] of questions.entries()) {
    for (const [place, { port }] of servers.entries()) {
      const took = await firstTextMs(port, text);
      if (index >= warming) times[place]?.push(took);
    }
  }
  return times.map((all) => all.toSorted((one, other) => one - other)[Math.floor(all.length * 0.95)] ?? Number.NaN);
}

async function firstTextMs(port: number, message: string): Promise<number> {
  const began = performance.now();
  const turn = await openSse(`http://127.0.0.1:${String(port)}/helper/chat`, { body: { message } });
  await turn.next('text');
  const took = performance.now() - began;
  await turn.next('end');
  return took;
}

async function untilReady({ port, target }: RunningTarget): Promise<void> {
  const limit = performance.now() + readyWithinMs;
  while (performance.now() < limit) {
    const response = await fetch(`http://127.0.0.1:${String(port)}/readyz`);
    const { status } = (await response.json()) as { readonly status?: unknown }; // looked at
    if (status === 'ready' && !(await lacksVectors(port))) return;
    await sleep(20);
  }
  throw new Error(`the documents of ${target.name} were not indexed in time`);
}

/** Vectors are made after the documents are found by their words. */
async function lacksVectors(port: number): Promise<boolean> {
  const metrics = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
  return /^helperagent_knowledge_vectors\{[^}]*state="missing"[^}]*\} [1-9]/m.test(metrics);
}

function words({ folder }: FirstTokenJob): Settings {
  return { useRag: true, ragSources: [{ type: 'files', name: 'bench', path: folder }] };
}

function both(job: FirstTokenJob): Settings {
  const vectors = {
    kind: 'embeddings',
    provider: 'openai',
    model: 'bench',
    apiKey: 'none',
    baseUrl: job.embeddingsUrl,
  };
  return { ...words(job), models: { vectors }, embeddingGenerator: 'vectors' };
}
