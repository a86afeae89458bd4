import { readFileSync } from 'node:fs';

/** Whether there is such a process, on Linux. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that has ended and that nobody has asked about is a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${String(pid)}/status`, 'utf8'));
  } catch {
    return false;
  }
}
