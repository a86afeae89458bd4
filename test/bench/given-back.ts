import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connections, tooFewFiles } from './idle.ts';
import { type Bench, jobOf } from './measure.ts';
import { stop } from './processes/child-processes.ts';
import { LoadClient } from './processes/load-client.ts';
import { usageOf } from './processes/usage.ts';
import { modelNameOf } from './reply-plan.ts';
import type { Measured, Sample } from './sample.ts';
import { full, fullHub, type RunningTarget, startTarget } from './targets.ts';
import { workloads } from './workloads.ts';

const workload = 'givenBack';
const burstReplies = 6000;
const quietMs = 60_000;

/** Measures the memory that a server still holds after a rush: one minute after 10,000 hub connections have closed, and after a burst. */
export async function measureGivenBack(bench: Bench): Promise<Measured> {
  const reason = tooFewFiles();
  if (reason !== undefined) return { samples: [], failures: [{ workload, target: fullHub.name, reason }] };
  const { plan } = workloads.burst;
  const running = await startTarget(fullHub, { ...bench, model: modelNameOf(plan) });
  const { child } = running;
  if (child === undefined) throw new Error('the server has no process');
  const samples: Sample[] = [];
  const note = async (target: string): Promise<void> => {
    const { residentBytes } = await usageOf(child);
    samples.push({ workload, target, round: 0, figures: { residentMiB: residentBytes / 2 ** 20 } });
    bench.progress(`${workload}: ${target}`);
  };
  try {
    await sleep(1000); // Code that is loaded after the start counts as part of the start.
    await note('at the start');
    await withClient(bench, async (client) => {
      await client.hold({ port: running.port, path: fullHub.path, connections });
      await note('10,000 hub connections open');
    });
    await sleep(quietMs);
    await note('a minute after they left');
    await withClient(bench, async (client) => {
      await client.run(burstJob(running), () => Promise.resolve());
      await note('after a burst of 6,000 replies');
    });
    await sleep(quietMs);
    await note('a minute after the burst');
    return { samples, failures: [] };
  } finally {
    await stop(child);
  }
}

/** A load generator that is gone afterwards, and all its connections with it. */
async function withClient(bench: Bench, work: (client: LoadClient) => Promise<void>): Promise<void> {
  const client = new LoadClient(join(bench.directory, 'given-back.log'));
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

function burstJob(running: RunningTarget): ReturnType<typeof jobOf> {
  const message = 'Where is order 1042, and when will it be here?';
  return jobOf({ ...workloads.burst, message }, { ...running, target: full }, burstReplies);
}
