import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFaultyDisk } from '../support/faulty-disk/faulty-disk.ts';
import { openSse } from '../support/sse-client.ts';
import type { Bench } from './measure.ts';
import { stop } from './processes/child-processes.ts';
import { usageOf } from './processes/usage.ts';
import type { Measured, Sample } from './sample.ts';
import { full, startTarget, type Target } from './targets.ts';

const workload = 'confirmed';
const rounds = 3;
const seconds = 10;
const syncMs = 5;

/** The number of turns that begin each second, also when earlier turns have not ended. */
const confirmedTurns = 30;
const chats = 50;

/**
 * What a slow disk does to users who store nothing: chats beside turns that ask, are approved and run a write, each of whose
 * steps is synced. Beside it the same chats alone.
 */
export async function measureConfirmed(bench: Bench): Promise<Measured> {
  const disk = makeFaultyDisk(mkdtempSync(join(bench.directory, 'disk-')));
  if (disk === undefined) {
    const reason = 'a slow disk takes Linux with a C compiler';
    return { samples: [], failures: [{ workload, target: full.name, reason }] };
  }
  const { launch } = full;
  const onSlowDisk: Target = {
    ...full,
    ...(launch !== undefined && {
      launch: (place) => ({ ...launch(place), environment: disk.environment }),
    }),
  };
  const { child, port } = await startTarget(onSlowDisk, { ...bench, model: 's1d0' });
  if (child === undefined) return { samples: [], failures: [] };
  try {
    disk.become(`slow ${syncMs}`);
    const url = `http://127.0.0.1:${port}`;
    await playRound(url, { confirmed: confirmedTurns });
    const samples: Sample[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const [target, confirmed] of [
        ['full, chats alone', 0],
        ['full', confirmedTurns],
      ] as const) {
        const { residentBytes } = await usageOf(child);
        const figures = { ...(await playRound(url, { confirmed })), residentMiB: residentBytes / 2 ** 20 };
        samples.push({ workload, target, round, figures });
      }
      bench.progress(`${workload}: round ${round + 1} of ${rounds}`);
    }
    return { samples, failures: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { samples: [], failures: [{ workload, target: full.name, reason }] };
  } finally {
    await stop(child);
  }
}

async function playRound(
  url: string,
  { confirmed }: { readonly confirmed: number },
): Promise<Pick<Sample['figures'], 'chatP50Ms' | 'chatP99Ms' | 'confirmedPerSecond' | 'confirmedP50Ms'>> {
  const [chatted, turns] = await Promise.all([
    begunEvenly(chats, () => chat(url)),
    begunEvenly(confirmed, () => confirmedTurn(url)),
  ]);
  const chatFigures = { chatP50Ms: quantile(chatted, 0.5), chatP99Ms: quantile(chatted, 0.99) };
  if (turns.length === 0) return chatFigures;
  return { ...chatFigures, confirmedPerSecond: turns.length / seconds, confirmedP50Ms: quantile(turns, 0.5) };
}

/** Begins this number of runs each second. Resolves with the time of each run once all runs have ended. */
async function begunEvenly(aSecond: number, begin: () => Promise<number>): Promise<readonly number[]> {
  const begun: Promise<number>[] = [];
  const start = performance.now();
  for (let index = 0; index < aSecond * seconds; index++) {
    await sleep(Math.max(0, start + (index * 1000) / aSecond - performance.now()));
    begun.push(begin());
  }
  return Promise.all(begun);
}

/** Milliseconds to the first text. */
async function chat(url: string): Promise<number> {
  const began = performance.now();
  const turn = await openSse(`${url}/helper/chat`, { body: { message: 'plan s1d0' } });
  await turn.next('text');
  const took = performance.now() - began;
  await turn.next('end');
  return took;
}

/** Milliseconds from the message to the end. The approval is given as soon as the question comes. */
async function confirmedTurn(url: string): Promise<number> {
  const began = performance.now();
  const turn = await openSse(`${url}/helper/chat`, { body: { message: 'plan s1d0w' } });
  const question = await turn.next('confirmation');
  const approval = await fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId: question.data?.['actionId'], approved: true }),
  });
  if (approval.status !== 200) throw new Error(`an approval was answered with ${approval.status}`);
  const { data } = await turn.next('end');
  if (data?.['status'] !== 'completed') throw new Error(`a confirmed turn ended as ${String(data?.['status'])}`);
  return performance.now() - began;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
