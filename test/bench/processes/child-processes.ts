import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { kernelTells } from './usage.ts';

/** The server under test has a core for itself; the fake model and the client share the other. */
export type Core = 'server' | 'load';

/** How a Node process is started. */
export interface ChildOptions {
  readonly core: Core;
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** Where stdout and stderr go; its end is shown when the process dies early. */
  readonly logFile: string;
  /** Preloads the usage reporter although the kernel would tell. */
  readonly withReporter?: boolean;
}

/** Whether processes are pinned to cores. */
export const canPin = availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0;

const children = new Set<ChildProcess>();
const reporter = new URL('./usage-reporter.ts', import.meta.url);

/** Starts a Node program. It ends with this process at the latest. */
export function startNode(options: ChildOptions): ChildProcess {
  const reports = options.withReporter === true || !kernelTells;
  const nodeOptions = [
    ...(options.nodeOptions ?? []),
    ...(reports ? ['--expose-gc', `--import=${reporter.href}`] : []),
  ];
  const command = [...pinTo(options.core), process.execPath, ...nodeOptions, ...options.command];
  const log = openSync(options.logFile, 'a');
  const child = spawn(command[0] ?? '', command.slice(1), {
    env: { ...process.env, NODE_ENV: 'production', ...options.environment },
    cwd: options.directory,
    stdio: ['ignore', log, log, 'ipc'],
    serialization: 'advanced', // JSON has no NaN.
  });
  closeSync(log);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function pinTo(core: Core): readonly string[] {
  return canPin ? ['taskset', '-c', core === 'server' ? '0' : '1'] : [];
}

/** Ends a process and waits until it is gone. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Ends whatever is still running; for signals and the end of the program. */
export function stopAll(): void {
  for (const child of children) child.kill('SIGKILL');
}

/** The path of a program of this directory. */
export function programPath(url: URL): string {
  return fileURLToPath(url);
}

/** A port nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

/** Waits until something listens on `port`; throws when `child` ends or `limitMs` (30 s) pass first. */
export async function waitForPort(child: ChildProcess, port: number, limitMs = 30_000): Promise<void> {
  const limit = performance.now() + limitMs;
  while (performance.now() < limit) {
    if (child.exitCode !== null) throw new Error(`the process ended with code ${String(child.exitCode)}`);
    if (await accepts(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  throw new Error(`nothing listened after ${String(limitMs / 1_000)} s`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
