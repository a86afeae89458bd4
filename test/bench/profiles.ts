import { withAgents } from './agents.ts';
import { measureConfirmed } from './confirmed.ts';
import { measureGivenBack } from './given-back.ts';
import { guarded, held } from './guarded.ts';
import { measureIdleConnections } from './idle.ts';
import type { Bench } from './measure.ts';
import { measureWorkload } from './measure.ts';
import type { Measured } from './sample.ts';
import { together } from './sample.ts';
import { measureStartup } from './startup.ts';
import { direct, full, fullHub, minimal, net, parse, pipe, traced } from './targets.ts';
import type { Target } from './targets.ts';
import type { Workload } from './workloads.ts';
import { agentWorkloads, briefly, quick, shorter, startedAnew, tracedBurst, warmedUp, workloads } from './workloads.ts';

/** What a run measures. */
export type Profile = 'quick' | 'default' | 'peers' | 'idle' | 'traces' | 'guards' | 'agents';

/** The replies a second that fake model and client manage alone. */
async function measureCeiling(bench: Bench): Promise<Measured> {
  return measureWorkload(bench, { ...workloads.burst, rounds: 3 }, [direct]);
}

async function inTurn(bench: Bench, plan: readonly (readonly [Workload, readonly Target[]])[]): Promise<Measured> {
  const parts: Measured[] = [];
  for (const [workload, targets] of plan) parts.push(await measureWorkload(bench, workload, targets));
  return together(parts);
}

/** Measures these workloads alone, with the targets of a whole run: for somebody who works on one of them. */
export async function runWorkloads(
  names: readonly string[],
  bench: Bench,
  others: readonly Target[],
): Promise<Measured> {
  const plan = Object.values(workloads).filter(({ name }) => names.includes(name));
  if (plan.length < names.length)
    throw new Error(`--only takes ${Object.keys(workloads).join(', ')}, separated by commas`);
  return inTurn(
    bench,
    plan.map((workload) => [workload, workload.name === 'tool' ? [full, ...others] : [pipe, full, ...others]]),
  );
}

/**
 * Runs a profile from its ceiling to its last workload. `others` are what is measured beside this server: the other products
 * that could be installed, or the build before a change.
 */
export async function runProfile(profile: Profile, bench: Bench, others: readonly Target[]): Promise<Measured> {
  switch (profile) {
    case 'idle':
      return together([await measureIdleConnections(bench), await measureGivenBack(bench)]);
    case 'quick':
      return together([
        await measureCeiling(bench),
        await inTurn(bench, [
          [quick(workloads.burst), [pipe, full, ...others]],
          [quick(workloads.turn), [pipe, full, ...others]],
        ]),
        await measureStartup(bench, [full, ...others]),
      ]);
    case 'default':
      return together([
        await measureCeiling(bench),
        await inTurn(bench, [
          [workloads.burst, [pipe, full, minimal, fullHub, parse, net, ...others]],
          [workloads.paced, [pipe, full, minimal, fullHub, parse, net, ...others]],
          [workloads.turn, [pipe, full, minimal, ...others]],
          [workloads.tool, [full, ...others]],
          [workloads.firstToken, [direct, pipe, full, minimal]],
          [workloads.capacity, [pipe, full]],
          [workloads.busy, [pipe, full]],
        ]),
        await measureStartup(bench, [pipe, full, ...others]),
        await measureConfirmed(bench),
      ]);
    case 'traces':
      return measureWorkload(bench, tracedBurst, [full, traced, ...others]);
    case 'guards':
      return inTurn(bench, [
        [startedAnew(warmedUp(workloads.burst)), [full, guarded, held, ...others]],
        [startedAnew(shorter(workloads.paced)), [full, guarded, held, ...others]],
        [startedAnew(workloads.turn), [full, guarded, held, ...others]],
      ]);
    case 'agents':
      return inTurn(bench, [
        [agentWorkloads.specialist, [withAgents, ...others]],
        [agentWorkloads.team, [withAgents, ...others]],
      ]);
    case 'peers':
      return inTurn(bench, [
        [briefly(workloads.burst), [pipe, full, ...others]],
        [briefly(workloads.paced), [pipe, full, ...others]],
        [briefly(workloads.turn), [pipe, full, ...others]],
        [briefly(workloads.tool), [full, ...others]],
      ]);
  }
}
