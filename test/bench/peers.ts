import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from './processes/child-processes.ts';
import type { Failure } from './sample.ts';
import type { Target } from './targets.ts';
import type { WorkloadName } from './workloads.ts';

/** The products that can be compared, and the reasons why others cannot. */
export interface InstalledPeers {
  readonly targets: readonly Target[];
  readonly failures: readonly Failure[];
}

/** Another product, its package and the small server in `peers/` that uses it as its documentation says. */
interface Peer {
  readonly name: string;
  readonly packageName: string;
  /** Less than usual for products that are more than ten times slower. */
  readonly shareOfReplies?: number;
  /** The small server, when its name is another one. */
  readonly program?: string;
  readonly description: string;
  /** The workloads with which the product is measured. Left out, all of them. */
  readonly workloads?: readonly WorkloadName[];
}

const directory = programPath(new URL('./peers', import.meta.url));

/** None of them may report home or trace while it is measured. */
const silence = {
  COPILOTKIT_TELEMETRY_DISABLED: 'true',
  DO_NOT_TRACK: '1',
  LANGSMITH_TRACING: 'false',
  MASTRA_TELEMETRY_DISABLED: 'true',
};

/** Products that answer by themselves, or products whose agents answer for them. */
export type PeerList = 'chats' | 'agents';

const chats: readonly Peer[] = [
  {
    name: 'openai',
    packageName: 'openai',
    description: 'official OpenAI client',
    workloads: ['burst', 'paced', 'turn'],
  },
  { name: 'chat-openai', packageName: '@langchain/openai', description: 'ChatOpenAI.stream, bindTools loop' },
  { name: 'ai-sdk', packageName: 'ai', description: 'AI SDK streamText, UI message stream' },
  { name: 'create-agent', packageName: 'langchain', description: 'LangChain createAgent, messages' },
  { name: 'mastra', packageName: '@mastra/core', description: 'Mastra Agent.stream' },
  {
    name: 'copilotkit',
    packageName: '@copilotkit/runtime',
    description: 'CopilotKit runtime, built-in agent',
  },
];

const agents: readonly Peer[] = [
  {
    name: 'langgraph',
    program: 'langgraph-supervisor',
    shareOfReplies: 0.2,
    packageName: '@langchain/langgraph',
    description: 'LangGraph, createSupervisor over createReactAgent; the team a graph',
  },
  {
    name: 'mastra',
    program: 'mastra-agents',
    shareOfReplies: 0.2,
    packageName: '@mastra/core',
    description: 'Mastra, an Agent with a subagent; the team a parallel workflow',
  },
];

/** Installs what `peers/package-lock.json` pins, once, and finds out which of it works on this machine. */
export function installPeers(list: PeerList, progress: (text: string) => void): InstalledPeers {
  const targets: Target[] = [];
  const failures: Failure[] = [];
  const fault = installOnce(progress);
  for (const peer of list === 'agents' ? agents : chats) {
    const version = installedVersion(peer.packageName);
    if (version === undefined) {
      const reason = `${peer.packageName} could not be installed${fault === undefined ? '' : ` (${fault})`}`;
      failures.push({ workload: 'all', target: peer.name, reason });
    } else {
      targets.push(targetOf(peer, version));
    }
  }
  return { targets, failures };
}

/** Installs them as `installPeers`. The version of one package, undefined where it does not work on this machine. */
export function installPackage(packageName: string, progress: (text: string) => void): string | undefined {
  installOnce(progress);
  return installedVersion(packageName);
}

function installOnce(progress: (text: string) => void): string | undefined {
  if (existsSync(join(directory, 'node_modules/.package-lock.json'))) return undefined;
  progress('installing the other products, once');
  const { status, stderr } = spawnSync('npm', ['ci'], { cwd: directory, encoding: 'utf8' });
  return status === 0 ? undefined : (/npm error (.*)/.exec(stderr)?.[1] ?? 'npm ci failed');
}

function installedVersion(packageName: string): string | undefined {
  try {
    const text = readFileSync(join(directory, 'node_modules', packageName, 'package.json'), 'utf8');
    return /"version": *"([^"]+)"/.exec(text)?.[1];
  } catch {
    return undefined;
  }
}

/** The small server of this name. */
export function peerProgram(name: string): string {
  return join(directory, `${name}.mjs`);
}

function targetOf(peer: Peer, version: string): Target {
  return {
    name: peer.name,
    description: `${peer.description} (${peer.packageName} ${version})`,
    format: 'tokens',
    path: '/helper/chat',
    speaksToModel: false,
    shareOfReplies: peer.shareOfReplies ?? 0.35,
    ...(peer.workloads !== undefined && { workloads: peer.workloads }),
    launch: ({ port, upstreamPort, model }) => ({
      environment: silence,
      command: [
        peerProgram(peer.program ?? peer.name),
        ...['--port', String(port), '--upstream-port', String(upstreamPort), '--model', model],
      ],
    }),
  };
}
