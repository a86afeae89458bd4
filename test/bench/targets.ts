import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse as parseYaml, stringify } from 'yaml';
import type { Features } from './fixtures/helper-configuration.ts';
import { helperConfiguration } from './fixtures/helper-configuration.ts';
import type { ReplyFormat } from './load/load-job.ts';
import type { WorkloadName } from './workloads.ts';
import { freePort, programPath, startNode, stop, waitForPort } from './processes/child-processes.ts';

/** Something the client can talk to. */
export interface Target {
  readonly name: string;
  /** One line for the report. */
  readonly description: string;
  readonly format: ReplyFormat;
  readonly path: string;
  /** Whether the client sends the model's own request. Used for targets that do not read the request. */
  readonly speaksToModel: boolean;
  /** The workloads with which the target is measured. Left out, all of them. */
  readonly workloads?: readonly WorkloadName[];
  /** The share of a workload's replies that suffices. It is less than 1 for a target that is many times slower. */
  readonly shareOfReplies?: number;
  /** Whether the target sends its traces to the receiver, under the target's name. */
  readonly isTraced?: boolean;
  /** Undefined for the fake model itself. */
  readonly launch: ((place: LaunchPlace) => Launch) | undefined;
}

/** Where a target is to run. */
export interface LaunchPlace {
  readonly port: number;
  readonly upstreamPort: number;
  /** Where the receiver of traces listens. */
  readonly receiverPort: number;
  readonly model: string;
  /** A folder that only this process uses. */
  readonly directory: string;
}

/** The program of a target, its arguments, and more that it needs. */
export interface Launch {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A target that listens. */
export interface RunningTarget {
  readonly target: Target;
  readonly port: number;
  readonly child: ChildProcess | undefined;
}

const root = programPath(new URL('../..', import.meta.url));

/** The program `npm start` runs. */
export const helperProgram = join(root, 'dist/main.js');

function baseline(name: 'pipe' | 'parse' | 'net', description: string): Target {
  return {
    name,
    description,
    format: 'tokens',
    path: name === 'net' ? '/v1/chat/completions' : '/helper/chat',
    speaksToModel: name === 'net',
    launch: ({ port, upstreamPort, model }) => ({
      command: [
        programPath(new URL(`./baselines/${name}.ts`, import.meta.url)),
        ...['--port', String(port), '--upstream-port', String(upstreamPort), '--model', model],
      ],
    }),
  };
}

function helper(features: Features, channel: 'sse' | 'hub'): Target {
  return {
    name: channel === 'hub' ? `${features}-hub` : features,
    description: `this server, ${features} features, ${channel === 'hub' ? 'hub' : 'SSE'}`,
    format: channel === 'hub' ? 'helper-hub' : 'helper-sse',
    path: channel === 'hub' ? '/helper-hub' : '/helper/chat',
    speaksToModel: false,
    launch: (place) => started(helperProgram, place, helperConfiguration({ features, ...place })),
  };
}

function started(program: string, { directory }: LaunchPlace, configuration: string): Launch {
  const file = join(directory, 'helper.yaml');
  writeFileSync(file, configuration);
  return { command: [program, 'start', '--config', file] };
}

/** The lines of helper.yaml that send traces to the receiver. */
function tracesTo(name: string, { receiverPort }: LaunchPlace): string {
  return stringify({
    enableObservability: true,
    telemetry: { otlpEndpoint: `http://127.0.0.1:${receiverPort}/${name}` },
  });
}

/** The fake model itself, without anything between. */
export const direct: Target = {
  name: 'direct',
  description: 'the fake model itself',
  format: 'tokens',
  path: '/v1/chat/completions',
  speaksToModel: true,
  launch: undefined,
};
export const pipe = baseline('pipe', "byte pipe: node:http, the model's bytes passed on unread");
export const parse = baseline('parse', 'node:http, one JSON.parse and one write per token');
export const net = baseline('net', 'two sockets, HTTP unread: the floor');
export const minimal = helper('minimal', 'sse');
export const full = helper('full', 'sse');
export const fullHub = helper('full', 'hub');
/** `full` that sends traces and metrics. */
export const traced: Target = {
  ...full,
  name: 'traced',
  description: 'this server, full features, SSE, traces and metrics sent over OTLP',
  isTraced: true,
  launch: (place) =>
    started(helperProgram, place, helperConfiguration({ features: 'full', ...place }) + tracesTo('traced', place)),
};

/** Settings in place of those of `full`. Its models stay beside those that are given. */
interface MoreSettings {
  readonly models?: object;
  readonly [key: string]: unknown;
}

/** `full` with further models, and with further settings beside them. */
export function fullWith(name: string, more: MoreSettings | ((place: LaunchPlace) => MoreSettings)): Target {
  return {
    ...full,
    name,
    launch: (place) => {
      const { models = {}, ...settings } = typeof more === 'function' ? more(place) : more;
      const own = parseYaml(helperConfiguration({ features: 'full', ...place })) as { readonly models: object }; // our own fixture
      return started(helperProgram, place, stringify({ ...own, ...settings, models: { ...own.models, ...models } }));
    },
  };
}

/**
 * Another built checkout of this server with full features, to judge a change by: both take turns in one run; once as it is, and once
 * traced. It is configured by its own fixture, whose settings are those of its version. Throws where the folder holds no such
 * checkout.
 */
export async function builtBefore(folder: string): Promise<{ readonly before: Target; readonly tracedBefore: Target }> {
  const fixture = join(resolve(folder), 'test/bench/fixtures/helper-configuration.ts');
  const { helperConfiguration: configure } = (await import(pathToFileURL(fixture).href)) as Fixtures;
  const program = join(resolve(folder), 'dist/main.js');
  const before: Target = {
    ...full,
    name: 'before',
    description: 'the build it is compared with, full features, SSE',
    launch: (place) => started(program, place, configure({ features: 'full', ...place })),
  };
  const name = 'traced-before';
  const tracedBefore: Target = {
    ...before,
    name,
    description: `${before.description}, traces and metrics sent over OTLP`,
    isTraced: true,
    launch: (place) => started(program, place, configure({ features: 'full', ...place }) + tracesTo(name, place)),
  };
  return { before, tracedBefore };
}

interface Fixtures {
  readonly helperConfiguration: typeof helperConfiguration;
}

/** All of the above. */
export const ownTargets: readonly Target[] = [direct, pipe, parse, net, minimal, full, fullHub, traced];

/** Starts a target and waits until it listens. Throws with the end of its log when it does not. */
export async function startTarget(target: Target, options: StartOptions): Promise<RunningTarget> {
  if (target.launch === undefined) return { target, port: options.upstreamPort, child: undefined };
  const directory = mkdtempSync(join(options.directory, `${target.name}-`));
  const port = await freePort();
  const launch = target.launch({ ...options, port, directory });
  const logFile = join(directory, 'log');
  const child = startNode({
    core: 'server',
    command: launch.command,
    nodeOptions: options.nodeOptions ?? [],
    ...(launch.environment !== undefined && { environment: launch.environment }),
    withReporter: options.withReporter === true,
    directory,
    logFile,
  });
  try {
    await waitForPort(child, port);
  } catch (error) {
    await stop(child);
    const log = readFileSync(logFile, 'utf8').slice(-1500);
    throw new Error(`${target.name} did not start. The end of its log:\n${log}`, { cause: error });
  }
  return { target, port, child };
}

/** Where and how a target is started. */
export interface StartOptions {
  readonly upstreamPort: number;
  readonly receiverPort: number;
  readonly model: string;
  /** The folder of the whole run. */
  readonly directory: string;
  readonly withReporter?: boolean;
  readonly nodeOptions?: readonly string[];
}
