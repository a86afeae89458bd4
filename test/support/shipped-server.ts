import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { builtServer, processEnvironment } from './process-environment.ts';

export interface ServerProcess {
  readonly url: string;
  /** Everything that it has printed so far. Its log lines are JSON. */
  readonly printed: () => string;
  /** The memory that it uses now. */
  readonly residentMebibytes: () => number;
  /** Sends a signal. Resolves with the exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Milliseconds that a test with its own process may take on a busy machine. */
export const processTestMs = 60_000;
/** Milliseconds that the process may take to start. */
const startTimeoutMs = 40_000;

const root = join(import.meta.dirname, '..', '..');
const address = /http:\/\/127\.0\.0\.1:\d+/;

/** The server as it ships, in its own process and folder, on a free port. Process and folder end with the test. */
export async function serverProcess(overrides: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-process-'));
  const parameters = [builtServer, 'start', '--config', join(root, 'config/helper.yaml')];
  const child = spawn(process.execPath, parameters, {
    cwd: folder,
    env: { ...processEnvironment, HELPER__SERVER__PORT: '0', HELPER__STORAGE__PATH: folder, ...overrides },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exit;
    rmSync(folder, { recursive: true });
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await expect.poll(() => printed, { timeout: startTimeoutMs }).toMatch(address);
  return {
    url: address.exec(printed)?.[0] ?? '',
    printed: () => printed,
    residentMebibytes: () => {
      const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    end: async (signal) => {
      child.kill(signal);
      await exit;
      return child.exitCode;
    },
  };
}
