/**
 * The benchmark: what a turn costs beside a byte pipe (docs/reference/performance.md).
 *
 * Usage: `npm run bench -- [--quick | --peers | --idle | --traces | --guards | --agents | --knowledge | --tools | --mcp | --replicas | --promises] [--only WORKLOAD,…] [--before FOLDER] [--json] [--gate] [--write]`. It starts and ends everything it
 * needs on free ports; the server is the built one. It is a report, not a test.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchMcp } from './mcp/bench-mcp.ts';
import { benchKnowledge } from './knowledge/bench-knowledge.ts';
import { benchPromises } from './scaling/bench-promises.ts';
import { benchReplicas } from './scaling/bench-replicas.ts';
import { guarded, held } from './guarded.ts';
import { withAgents } from './agents.ts';
import { type InstalledPeers, installPeers } from './peers.ts';
import { freePort, programPath, startNode, stopAll, waitForPort } from './processes/child-processes.ts';
import { LoadClient } from './processes/load-client.ts';
import type { Profile } from './profiles.ts';
import { runProfile, runWorkloads } from './profiles.ts';
import { judge, readBudget } from './report/budget.ts';
import { describeMachine, loadWarning } from './report/machine.ts';
import { summarise } from './report/statistics.ts';
import type { Report } from './report/tables.ts';
import { renderReport } from './report/tables.ts';
import type { Measured } from './sample.ts';
import { together } from './sample.ts';
import { builtBefore, direct, net, ownTargets, type Target } from './targets.ts';
import { agentWorkloads, tracedBurst, workloads } from './workloads.ts';
import { benchTools } from './tools/bench-tools.ts';
import { writeBetweenMarkers } from '../support/written-page.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    peers: { type: 'boolean', default: false },
    idle: { type: 'boolean', default: false },
    knowledge: { type: 'boolean', default: false },
    tools: { type: 'boolean', default: false },
    mcp: { type: 'boolean', default: false },
    replicas: { type: 'boolean', default: false },
    promises: { type: 'boolean', default: false },
    traces: { type: 'boolean', default: false },
    guards: { type: 'boolean', default: false },
    agents: { type: 'boolean', default: false },
    before: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    gate: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/**
 * The whole run is worthless unless fake model and client are well faster than the servers they measure. The floor is
 * left out: it is two sockets, almost as fast as the model itself, and only its CPU time is of interest.
 */
function doubtsOf(measured: Measured): string[] {
  const burst = measured.samples.filter((sample) => sample.workload === 'burst');
  const speedOf = (target: string): number =>
    summarise(burst.filter((sample) => sample.target === target).map(({ figures }) => figures.repliesPerSecond ?? 0))
      .median;
  const ceiling = speedOf(direct.name);
  const measuredTargets = new Set(burst.map((sample) => sample.target));
  const servers = [...measuredTargets].filter((target) => target !== direct.name && target !== net.name);
  const fastest = Math.max(...servers.map(speedOf));
  if (!(ceiling < 2 * fastest)) return [];
  return [
    `model and client manage ${Math.round(ceiling)} replies/s, less than twice the fastest target's ${Math.round(fastest)}`,
  ];
}

/** Starts a program that the servers under test talk to, and returns its port. */
async function startBeside(program: URL, directory: string): Promise<number> {
  const port = await freePort();
  const path = programPath(program);
  const logFile = join(directory, `${basename(path)}.log`);
  const child = startNode({ core: 'load', command: [path, '--port', String(port)], logFile });
  await waitForPort(child, port);
  return port;
}

/** The build that `--before` names: traced where tracing is what is measured. */
async function buildBefore(profile: Profile): Promise<readonly Target[]> {
  if (flags.before === undefined) return [];
  const { before, tracedBefore } = await builtBefore(flags.before);
  return [profile === 'traces' ? tracedBefore : before];
}

function peersOf(profile: Profile): InstalledPeers {
  if (profile === 'peers') return installPeers('chats', progress);
  return profile === 'agents' ? installPeers('agents', progress) : { targets: [], failures: [] };
}

async function measure(profile: Profile, directory: string): Promise<Omit<Report, 'machine' | 'outcomes'>> {
  execFileSync(process.execPath, [programPath(new URL('../../scripts/build.ts', import.meta.url)), '--if-stale'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const upstreamPort = await startBeside(new URL('./upstream.ts', import.meta.url), directory);
  const receiverPort = await startBeside(new URL('./receiver.ts', import.meta.url), directory);
  const bench = {
    upstreamPort,
    receiverPort,
    directory,
    progress,
    client: new LoadClient(join(directory, 'client.log')),
  };
  const peers = peersOf(profile);
  const others = [...peers.targets, ...(await buildBefore(profile))];
  const found =
    flags.only === undefined
      ? await runProfile(profile, bench, others)
      : await runWorkloads(flags.only.split(','), bench, others);
  const measured = together([found, { samples: [], failures: peers.failures }]);
  const known = [...ownTargets, guarded, held, withAgents, ...others];
  return {
    profile,
    measured,
    doubts: flags.only === undefined ? doubtsOf(measured) : [],
    descriptions: Object.fromEntries(known.map(({ name, description }) => [name, description])),
    titles: {
      ...Object.fromEntries(
        [...Object.values(workloads), ...Object.values(agentWorkloads)].map(({ name, title }) => [name, title]),
      ),
      traced: tracedBurst.title,
      startup: 'From start to ready',
      confirmed: 'Confirmed turns while each sync of the disk takes 5 ms: 30 a second beside 50 chats a second',
      idle: 'Idle hub connections: 10,000 open',
      givenBack: 'Memory after a rush, which the server gives back by itself',
    },
  };
}

async function main(): Promise<void> {
  const named = (['quick', 'peers', 'idle', 'traces', 'guards', 'agents'] as const).find((name) => flags[name]);
  const profile: Profile = named ?? 'default';
  if (flags.write && profile === 'quick') throw new Error('--quick is too coarse for the page: leave --write out');
  if (flags.write && flags.only !== undefined) throw new Error('the page has all workloads: leave --only out');
  const machine = describeMachine();
  const warning = loadWarning(machine);
  if (warning !== undefined) progress(`warning: ${warning}`);
  const directory = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const found = await measure(profile, directory);
    const budget = readBudget();
    const outcomes = judge(budget, found.measured.samples, flags.quick ? budget.quickMargin : 1);
    const doubts = warning === undefined ? found.doubts : [...found.doubts, warning];
    const report: Report = { ...found, machine, outcomes, doubts };
    console.log(flags.json ? JSON.stringify(report, null, 2) : renderReport(report));
    if (flags.write) writeBetweenMarkers('performance.md', `bench ${profile}`, renderReport(report));
    if (flags.gate && outcomes.some((outcome) => outcome.failsGate)) process.exitCode = 1;
  } finally {
    stopAll();
    rmSync(directory, { recursive: true, force: true });
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stopAll();
    process.exit(1);
  });
}
if (flags.knowledge) await benchKnowledge({ write: flags.write });
else if (flags.tools) await benchTools({ write: flags.write });
else if (flags.mcp) await benchMcp({ write: flags.write });
else if (flags.promises) await benchPromises({ write: flags.write });
else if (flags.replicas) await benchReplicas({ write: flags.write });
else await main();
process.exit();
