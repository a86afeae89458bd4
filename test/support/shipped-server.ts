import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startServerProcess } from './server-process.ts';

export interface ServerProcess {
  readonly url: string;
  /** Everything that it has printed so far. Its log lines are JSON. */
  readonly printed: () => string;
  /** The memory that it uses now. */
  readonly residentMebibytes: () => number;
  /** Sends a signal. Resolves with the exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/**
 * The server as it ships but for the sample documents, in its own process and folder, on a free port, once it listens. Process and folder
 * end with the test.
 */
export async function serverProcess(overrides: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-process-'));
  // What a test is done with is ended in the reverse order: the process, then its folder.
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { url, pid, printed, kill } = startServerProcess({ folder, environment: overrides });
  return {
    url: await url,
    printed,
    residentMebibytes: () => {
      const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    end: kill,
  };
}
