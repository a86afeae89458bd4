/**
 * What a call of a tool that only reads costs over MCP, here, with the official library alone, and in other products: `npm run bench --
 * --mcp`.
 */
import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { markdownTable } from '../../support/markdown-table.ts';
import { writeBetweenMarkers } from '../../support/written-page.ts';
import { installPackage, peerProgram } from '../peers.ts';
import { freePort, programPath, startNode, stop, waitForPort } from '../processes/child-processes.ts';
import { usageOf } from '../processes/usage.ts';
import { describeMachine } from '../report/machine.ts';
import { summarise } from '../report/statistics.ts';
import { helperProgram } from '../targets.ts';
import { type Revision, ToolClient } from './call-tools.ts';

const connections = 8;
const callsOfRound = 4_000;
const warmUpCalls = 8_000;
const rounds = 9;

/** Goals: this server beside the library alone, and another product beside this server. */
const mostOfBare = 1.5;
const leastOfOthers = 5;

interface McpTarget {
  readonly name: string;
  readonly description: string;
  readonly revisions: readonly Revision[];
  readonly command: (port: number, folder: string) => readonly string[];
}

const both: readonly Revision[] = ['2026-07-28', '2025-11-25'];

const own: McpTarget = {
  name: 'this server',
  description: 'the checks of a call without sign-in and rate; warnings alone are logged',
  revisions: both,
  command: (port, folder) => {
    const file = join(folder, 'helper.yaml');
    writeFileSync(file, stringify(configuration(port)));
    return [helperProgram, 'start', '--config', file];
  },
};

const bare: McpTarget = {
  name: 'bare',
  description: '@modelcontextprotocol/server alone, on node:http',
  revisions: both,
  command: (port) => [programPath(new URL('../baselines/mcp.ts', import.meta.url)), '--port', String(port)],
};

const fastMcp: McpTarget = {
  name: 'fastmcp',
  description: 'FastMCP for Node',
  revisions: ['2025-11-25'],
  command: (port) => [peerProgram('fastmcp'), '--port', String(port)],
};

const mcpUse: McpTarget = {
  name: 'mcp-use',
  description: 'mcp-use, on the official library',
  revisions: both,
  command: (port) => [peerProgram('mcp-use'), '--port', String(port)],
};

function configuration(port: number): object {
  return {
    appName: 'Bench',
    chatClient: 'demo',
    models: { demo: { provider: 'demo' } },
    // All load comes from one address.
    server: { port, maxRequestsPerAddress: 20_000, maxConnectionsPerAddress: 20_000 },
    actions: { plugins: [programPath(new URL('../fixtures/plugins', import.meta.url))] },
    mcpServerEnabled: true,
    endpoints: { mcp: { rateLimit: null } },
    storage: { type: 'memory' },
    logging: { level: 'warn', format: 'json' },
  };
}

/** CPU microseconds of the server per call, round by round. */
interface McpFigures {
  readonly target: McpTarget;
  readonly revision: Revision;
  readonly perCall: readonly number[];
}

interface Running {
  readonly target: McpTarget;
  readonly port: number;
  readonly child: ChildProcess;
}

/** Prints the figures, and with `write` puts them into the page. The process fails when this server costs more than its
 * goal beside the library alone. */
export async function benchMcp({ write }: { readonly write: boolean }): Promise<void> {
  const machine = describeMachine();
  execFileSync(process.execPath, [programPath(new URL('../../../scripts/build.ts', import.meta.url)), '--if-stale'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const directory = mkdtempSync(join(tmpdir(), 'bench-mcp-'));
  const progress = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  try {
    const others = [fastMcp, mcpUse].filter(({ name }) => installPackage(name, progress) !== undefined);
    const figures: McpFigures[] = [];
    for (const revision of both) {
      progress(`revision ${revision}`);
      figures.push(...(await measured(directory, revision, [own, bare, ...others])));
    }
    const goals = goalsOf(figures);
    const text = [
      `Measured ${machine.date} on ${machine.processor}, ${String(machine.cores)} cores, ${String(machine.memoryGiB)} GiB, ${machine.system}, Node ${machine.node.slice(1)}; load average before the run ${machine.load.toFixed(2)}. ${String(rounds)} rounds of ${String(callsOfRound)} calls over ${String(connections)} connections; the server on one core, the client on another.`,
      table(figures),
      goalTable(goals),
    ].join('\n\n');
    console.log(text);
    if (write) writeBetweenMarkers('performance.md', 'bench mcp', text);
    if (goals.some(({ isMet, isGate }) => isGate && !isMet)) process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measured(
  directory: string,
  revision: Revision,
  targets: readonly McpTarget[],
): Promise<readonly McpFigures[]> {
  const running: Running[] = [];
  try {
    for (const target of targets) {
      if (target.revisions.includes(revision))
        running.push(await started(target, join(directory, revision, target.name)));
    }
    const figures = running.map(({ target }) => ({ target, revision, perCall: [] as number[] })); // filled below
    for (const { port } of running) await callMany(port, revision, warmUpCalls);
    for (let round = 0; round < rounds; round += 1) {
      // The first of a round is another one each time.
      for (let place = 0; place < running.length; place += 1) {
        const index = (round + place) % running.length;
        const one = running[index];
        if (one === undefined) continue;
        const before = await usageOf(one.child);
        await callMany(one.port, revision, callsOfRound);
        const after = await usageOf(one.child);
        figures[index]?.perCall.push((after.cpuMicroseconds - before.cpuMicroseconds) / callsOfRound);
      }
    }
    return figures;
  } finally {
    await Promise.all(running.map(({ child }) => stop(child)));
  }
}

async function started(target: McpTarget, folder: string): Promise<Running> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const command = target.command(port, folder);
  const child = startNode({ core: 'server', command, directory: folder, logFile: join(folder, 'log') });
  await waitForPort(child, port);
  return { target, port, child };
}

async function callMany(port: number, revision: Revision, times: number): Promise<void> {
  const client = await ToolClient.open(port, revision, connections);
  try {
    await client.call(times, connections);
  } finally {
    client.close();
  }
}

/** The figures of one divided by those of another, round by round. */
function ratioOf(of: McpFigures, to: McpFigures): number {
  return summarise(of.perCall.map((value, round) => value / (to.perCall[round] ?? Number.NaN))).median;
}

interface Goal {
  readonly name: string;
  readonly limit: string;
  readonly value: number;
  readonly isMet: boolean;
  /** Whether the process fails when it is missed: a comparison with another product is none of ours to break. */
  readonly isGate: boolean;
}

function goalsOf(figures: readonly McpFigures[]): readonly Goal[] {
  return figures.flatMap((one): readonly Goal[] => {
    const ours = figures.find(({ target, revision }) => target === own && revision === one.revision);
    if (ours === undefined || one === ours) return [];
    const isBare = one.target === bare;
    const value = isBare ? ratioOf(ours, one) : ratioOf(one, ours);
    const name = isBare ? `this server to ${one.target.name}` : `${one.target.name} to this server`;
    return [
      {
        name: `${name}, ${one.revision}`,
        limit: isBare ? `≤ ${String(mostOfBare)}` : `≥ ${String(leastOfOthers)}`,
        value,
        isGate: isBare,
        isMet: isBare ? value <= mostOfBare : value >= leastOfOthers,
      },
    ];
  });
}

function table(figures: readonly McpFigures[]): string {
  const rows = figures.map(({ target, revision, perCall }) => {
    const { median, least, most } = summarise(perCall);
    return [target.name, revision, median.toFixed(0), `${least.toFixed(0)}–${most.toFixed(0)}`, target.description];
  });
  return markdownTable(['', 'revision', 'CPU µs/call', 'rounds', ''], rows);
}

function goalTable(goals: readonly Goal[]): string {
  const rows = goals.map(({ name, limit, value, isMet }) => [name, limit, value.toFixed(2), isMet ? 'met' : 'missed']);
  return markdownTable(['ratio', 'goal', 'measured', ''], rows);
}
