import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used. */
export interface Usage {
  /** CPU time of all its threads since it started. */
  readonly cpuMicroseconds: number;
  /** CPU time of its main thread alone. */
  readonly mainThreadMicroseconds: number;
  readonly residentBytes: number;
}

/** Whether the kernel tells the usage of other processes precisely enough. On other systems a process reports its own usage. */
export const kernelTells = process.platform === 'linux';

/** Reads what `child` has used so far: from the kernel, else by asking the preloaded `usage-reporter.ts`. */
export async function usageOf(child: ChildProcess): Promise<Usage> {
  if (kernelTells && child.pid !== undefined) return usageFromKernel(child.pid);
  return askChild(child, 'usage');
}

/** Asks a process started with `withReporter` to collect its garbage, and then what it uses. */
export async function usageAfterCollection(child: ChildProcess): Promise<Usage> {
  return askChild(child, 'collect');
}

function usageFromKernel(pid: number): Usage {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  const residentKilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN);
  return {
    cpuMicroseconds: cpuNanoseconds(pid) / 1000,
    mainThreadMicroseconds: threadNanoseconds(pid, String(pid)) / 1000,
    residentBytes: residentKilobytes * 1024,
  };
}

function cpuNanoseconds(pid: number): number {
  return readdirSync(`/proc/${String(pid)}/task`).reduce((sum, task) => sum + threadNanoseconds(pid, task), 0);
}

/** First field of schedstat: nanoseconds on a CPU. `/proc/PID/stat` counts in hundredths of a second, far too coarse. */
function threadNanoseconds(pid: number, task: string): number {
  try {
    return Number(readFileSync(`/proc/${String(pid)}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0; // The thread has ended between the two reads.
  }
}

function askChild(child: ChildProcess, question: 'usage' | 'collect'): Promise<Usage> {
  return new Promise((resolve, reject) => {
    child.once('message', (answer) => {
      // `usage-reporter.ts` guarantees the shape: no program under test sends messages of its own.
      resolve(answer as Usage);
    });
    child.send(question, (error) => {
      if (error !== null) reject(error);
    });
  });
}
