import { readFileSync } from 'node:fs';
import type { Bench } from './measure.ts';
import { stop } from './processes/child-processes.ts';
import { usageAfterCollection, usageOf } from './processes/usage.ts';
import type { Measured } from './sample.ts';
import { fullHub, startTarget } from './targets.ts';

export const connections = 10_000;
/** What a process needs beside its connections. */
const spareFiles = 1000;

/** What an open hub connection costs that says nothing: 10,000 of them, memory compared after forced collections. */
export async function measureIdleConnections(bench: Bench): Promise<Measured> {
  const reason = tooFewFiles();
  if (reason !== undefined) return { samples: [], failures: [{ workload: 'idle', target: fullHub.name, reason }] };
  const { child, port } = await startTarget(fullHub, { ...bench, model: 's1d0', withReporter: true });
  if (child === undefined) throw new Error('the server has no process');
  try {
    const atRest = await usageAfterCollection(child);
    const cpuBefore = await usageOf(child);
    const held = await bench.client.hold({ port, path: fullHub.path, connections });
    const cpuAfter = await usageOf(child);
    if (held.faults.length > 0) {
      return { samples: [], failures: [{ workload: 'idle', target: fullHub.name, reason: held.faults.join('; ') }] };
    }
    const filled = await usageAfterCollection(child);
    const figures = {
      kibPerConnection: (filled.residentBytes - atRest.residentBytes) / 1024 / connections,
      cpuPerConnect: (cpuAfter.cpuMicroseconds - cpuBefore.cpuMicroseconds) / connections,
      connectsPerSecond: connections / held.seconds,
      residentMiB: filled.residentBytes / 2 ** 20,
    };
    return { samples: [{ workload: 'idle', target: fullHub.name, round: 0, figures }], failures: [] };
  } finally {
    await stop(child);
  }
}

/** Why so many connections cannot be opened here; undefined when they can. */
export function tooFewFiles(): string | undefined {
  const allowed = openFilesAllowed();
  if (allowed >= connections + spareFiles) return undefined;
  return `needs ${connections + spareFiles} open files, ${allowed} are allowed: run "ulimit -n 20000" first`;
}

/** `ulimit -n`; not limited where the kernel does not tell. */
function openFilesAllowed(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
