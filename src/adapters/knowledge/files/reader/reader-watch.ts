/**
 * A thread of the process that reads files. The thread ends the process when a file costs too much. This works whatever the code of the
 * process is doing, and even when the server that asked is gone.
 */
import { workerData } from 'node:worker_threads';
import { readLimits } from './read-limits.ts';

/** When the reading of the file began, in milliseconds of `Date.now() % 2 ** 31`. 0: no file is read. */
const begun = workerData as Int32Array; // file-reader.ts starts this thread with it

const lookEveryMs = 25;

setInterval(() => {
  const since = Atomics.load(begun, 0);
  if (since === 0) return;
  // The server learns the reason from the signal.
  if (process.memoryUsage.rss() > readLimits.residentBytes) process.kill(process.pid, 'SIGKILL');
  else if (clock() - since > readLimits.milliseconds) process.kill(process.pid, 'SIGTERM');
}, lookEveryMs);

function clock(): number {
  return Date.now() % 2 ** 31;
}
