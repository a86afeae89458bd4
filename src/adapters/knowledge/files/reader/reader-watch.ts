/**
 * A thread of the process that reads files: it ends the process when a file costs too much, whatever its code is doing, and
 * even when the server that asked is gone.
 */
import { workerData } from 'node:worker_threads';
import { readLimits } from './read-limits.ts';

/** When the file was begun, in milliseconds of `Date.now() % 2 ** 31`; 0 when none is read. */
const begun = workerData as Int32Array; // file-reader.ts starts this thread with it

const lookEveryMs = 25;

setInterval(() => {
  const since = Atomics.load(begun, 0);
  if (since === 0) return;
  // The signals are the reasons: the server reads them.
  if (process.memoryUsage.rss() > readLimits.residentBytes) process.kill(process.pid, 'SIGKILL');
  else if (clock() - since > readLimits.milliseconds) process.kill(process.pid, 'SIGTERM');
}, lookEveryMs);

function clock(): number {
  return Date.now() % 2 ** 31;
}
