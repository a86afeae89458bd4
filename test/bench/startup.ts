import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './measure.ts';
import { stop } from './processes/child-processes.ts';
import { usageOf } from './processes/usage.ts';
import type { Measured, Sample } from './sample.ts';
import type { Target } from './targets.ts';
import { startTarget } from './targets.ts';

const rounds = 5;

/** From the start of the process until it is ready for traffic, and the memory it then holds. */
export async function measureStartup(bench: Bench, targets: readonly Target[]): Promise<Measured> {
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      const sample = await startOnce(bench, target, round);
      if (sample !== undefined) samples.push(sample);
    }
  }
  bench.progress('startup: done');
  return { samples, failures: [] };
}

async function startOnce(bench: Bench, target: Target, round: number): Promise<Sample | undefined> {
  const begin = performance.now();
  const { child, port } = await startTarget(target, { ...bench, model: 's1d0' });
  if (child === undefined) return undefined;
  try {
    if (target.format === 'helper-sse') while (!(await isReady(port))) await sleep(3);
    const readyMs = performance.now() - begin;
    await sleep(500); // Code that is loaded after the first request counts as memory at rest.
    const { residentBytes } = await usageOf(child);
    const figures = { readyMs, residentMiB: residentBytes / 2 ** 20 };
    return { workload: 'startup', target: target.name, round, figures };
  } finally {
    await stop(child);
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => {
      resolve(false);
    });
  });
}
