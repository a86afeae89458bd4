import { readFileSync } from 'node:fs';
import type { Bench } from './measure.ts';
import { stop } from './processes/child-processes.ts';
import { usageAfterCollection, usageOf } from './processes/usage.ts';
import type { Measured } from './sample.ts';
import { fullHub, startTarget } from './targets.ts';

export const connections = 10_000;
/** The number of open files that a process needs in addition to its connections. */
const spareFiles = 1000;

/** Measures the memory of an idle hub connection. Opens 10,000 of them and compares the memory after forced garbage collections. */
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

/** The reason why this machine cannot open so many connections. Undefined when it can. */
export function tooFewFiles(): string | undefined {
  const allowed = openFilesAllowed();
  if (allowed >= connections + spareFiles) return undefined;
  return `needs ${connections + spareFiles} open files, ${allowed} are allowed: run "ulimit -n 20000" first`;
}

/** The limit of open files (`ulimit -n`). Counts as unlimited if the kernel does not tell the limit. */
function openFilesAllowed(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
