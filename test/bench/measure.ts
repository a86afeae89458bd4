import type { LoadJob, LoadResult } from './load/load-job.ts';
import { stop } from './processes/child-processes.ts';
import type { LoadClient } from './processes/load-client.ts';
import type { Usage } from './processes/usage.ts';
import { usageOf } from './processes/usage.ts';
import { modelNameOf } from './reply-plan.ts';
import type { Failure, Measured, Sample } from './sample.ts';
import type { RunningTarget, StartOptions, Target } from './targets.ts';
import { startTarget } from './targets.ts';
import { turnPlan, type Workload } from './workloads.ts';

/**
 * Targets take turns, so each has pauses that a server under load does not have. In a pause of eight seconds V8 shrinks the heap
 * of most programs, depending on when it last collected, and the next round would measure how it grows again.
 */
const steadyHeap = ['--no-memory-reducer'];

/** What a measurement needs in addition to the targets. */
export interface Bench extends Omit<StartOptions, 'model'> {
  readonly client: LoadClient;
  readonly progress: (text: string) => void;
}

/**
 * Measures the targets under one workload: each is started and warmed up, then they take turns round by round, so that
 * whatever the machine does meanwhile happens to all of them. A target with any fault falls out.
 */
export async function measureWorkload(bench: Bench, workload: Workload, targets: readonly Target[]): Promise<Measured> {
  const failures: Failure[] = [];
  const fail = (target: Target, reason: string): void => {
    failures.push({ workload: workload.name, target: target.name, reason });
    bench.progress(`${workload.name}: ${target.name} falls out: ${reason}`);
  };
  const wanted = targets.filter((target) => target.workloads?.includes(workload.name) ?? true);
  const samples: Sample[] = [];
  for (let start = 0; start < (workload.starts ?? 1); start++) {
    const isFaulty = ({ name }: Target): boolean => failures.some(({ target }) => target === name);
    const targetsLeft = wanted.filter((target) => !isFaulty(target));
    const running = await startAll(bench, workload, { targets: targetsLeft, fail });
    const before = start * workload.rounds;
    try {
      const measured = await measureRounds(bench, workload, { running, fail });
      samples.push(...measured.map((sample) => ({ ...sample, round: before + sample.round })));
    } finally {
      await Promise.all(running.map(async ({ child }) => child !== undefined && (await stop(child))));
    }
  }
  return { samples, failures };
}

type Fail = (target: Target, reason: string) => void;

async function startAll(
  bench: Bench,
  workload: Workload,
  { targets, fail }: { readonly targets: readonly Target[]; readonly fail: Fail },
): Promise<RunningTarget[]> {
  const started: RunningTarget[] = [];
  for (const target of targets) {
    try {
      started.push(await startTarget(target, { ...bench, model: modelNameOf(workload.plan), nodeOptions: steadyHeap }));
    } catch (error) {
      fail(target, error instanceof Error ? error.message : String(error));
    }
  }
  return started;
}

async function measureRounds(
  bench: Bench,
  workload: Workload,
  { running, fail }: { readonly running: readonly RunningTarget[]; readonly fail: Fail },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  let healthy = running;
  for (const target of running) await warmUpBriefly(bench, workload, target);
  for (let round = -1; round < workload.rounds; round++) {
    for (const target of startingWith(round + 1, healthy)) {
      const readings = await runJob(bench, workload, { target, isWarmUp: round < 0 });
      if (readings.result.faults.length > 0) {
        fail(target.target, readings.result.faults.join('; '));
        healthy = healthy.filter((other) => other !== target);
      } else if (round >= 0) {
        samples.push(sampleOf(workload, { ...readings, round, target: target.target.name }));
      }
    }
    bench.progress(`${workload.name}: ${round < 0 ? 'warm' : `round ${round + 1} of ${workload.rounds}`}`);
  }
  return samples;
}

/** Each target is first in some round, and waits about as long between two rounds as any other. */
function startingWith<T>(round: number, targets: readonly T[]): readonly T[] {
  const first = targets.length === 0 ? 0 : round % targets.length;
  return [...targets.slice(first), ...targets.slice(0, first)];
}

/** Faults are found by the rounds. */
async function warmUpBriefly(bench: Bench, { shortWarmUp = 0 }: Workload, target: RunningTarget): Promise<void> {
  const replies = Math.round(shortWarmUp * (target.target.shareOfReplies ?? 1));
  if (replies === 0) return;
  const short = { plan: turnPlan, concurrency: 16, message: `plan ${modelNameOf(turnPlan)}` };
  await bench.client.run(jobOf(short, target, replies), () => Promise.resolve());
}

interface JobReadings {
  readonly result: LoadResult;
  readonly before: Usage;
  readonly after: Usage;
  /** The number of spans that the receiver got meanwhile. Undefined for a target that sends none. */
  readonly spans: number | undefined;
}

const nothingKnown: Usage = {
  cpuMicroseconds: Number.NaN,
  mainThreadMicroseconds: Number.NaN,
  residentBytes: Number.NaN,
};

async function runJob(
  bench: Bench,
  workload: Workload,
  { target, isWarmUp }: { readonly target: RunningTarget; readonly isWarmUp: boolean },
): Promise<JobReadings> {
  const { child } = target;
  const share = target.target.shareOfReplies ?? 1;
  const wanted = Math.round((isWarmUp ? workload.warmUp : workload.replies) * share);
  const replies = Math.max(wanted, workload.concurrency);
  const usage = async (): Promise<Usage> =>
    child === undefined || child.exitCode !== null ? nothingKnown : await usageOf(child);
  const spansBefore = await spansFrom(bench, target.target);
  let before = nothingKnown;
  const result = await bench.client.run(jobOf({ ...workload, message }, target, replies), async () => {
    before = await usage();
  });
  const after = await usage();
  const spans = await spansFrom(bench, target.target);
  return { result, before, after, spans: spans === undefined ? undefined : spans - (spansBefore ?? 0) };
}

/** How many spans a traced target has sent so far. */
async function spansFrom({ receiverPort }: Bench, { name, isTraced }: Target): Promise<number | undefined> {
  if (isTraced !== true) return undefined;
  return Number(await (await fetch(`http://127.0.0.1:${receiverPort}/${name}`)).text());
}

const message = 'Where is order 1042, and when will it be here?';

interface Asked extends Pick<Workload, 'plan' | 'concurrency'> {
  readonly message: string;
}

/** The load of a workload on a target. */
export function jobOf(
  { plan, concurrency, message }: Asked,
  { target, port }: RunningTarget,
  replies: number,
): LoadJob {
  const model = modelNameOf(plan);
  const messages = [{ role: 'user', content: message }];
  const body = target.speaksToModel ? { model, stream: true, messages } : { message };
  return {
    port,
    format: target.format,
    path: target.path,
    body: JSON.stringify(body),
    message,
    concurrency,
    replies,
    model,
    limitMs: 90_000,
  };
}

interface SampleParts extends JobReadings {
  readonly round: number;
  readonly target: string;
}

function sampleOf(workload: Workload, { round, target, result, before, after, spans }: SampleParts): Sample {
  const cpuPerReply = (after.cpuMicroseconds - before.cpuMicroseconds) / result.replies;
  const repliesPerSecond = result.replies / result.seconds;
  return {
    workload: workload.name,
    target,
    round,
    figures: {
      repliesPerSecond,
      chunksPerSecond: repliesPerSecond * workload.plan.chunks,
      cpuPerReply,
      mainPerReply: (after.mainThreadMicroseconds - before.mainThreadMicroseconds) / result.replies,
      ...(spans !== undefined && { spansPerReply: spans / result.replies }),
      cpuPerChunk: cpuPerReply / workload.plan.chunks,
      firstTokenMs: result.firstToken.p50 / 1000,
      addedP50Ms: result.added.p50 / 1000,
      addedP99Ms: result.added.p99 / 1000,
      bytesPerReply: result.bytesPerReply,
      residentMiB: after.residentBytes / 2 ** 20,
    },
  };
}
