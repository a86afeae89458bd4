/**
 * A thread of the process that reads files. The thread ends the process when a file costs too much. This works whatever the code of the
 * process is doing, and even when the server that asked is gone.
 */
import { workerData } from 'node:worker_threads';
import type { readLimits } from './read-limits.ts';

/** What the thread is started with. */
export interface ReaderWatch {
  /** When the reading of the file began, in milliseconds of `Date.now() % 2 ** 31`. 0: no file is read. */
  readonly begun: Int32Array;
  readonly limits: Pick<typeof readLimits, 'residentBytes'> & Record<'cpuMilliseconds' | 'milliseconds', number>;
}

const { begun, limits } = workerData as ReaderWatch; // file-reader.ts starts this thread with it

const lookEveryMs = 25;

/** The file that was seen last, by the moment of its beginning, and the work of the processors until then. */
let seen = { since: 0, cpu: 0 };

setInterval(() => {
  const since = Atomics.load(begun, 0);
  if (since === 0) return;
  if (since !== seen.since) seen = { since, cpu: cpuOfProcess() };
  // The server learns the reason from the signal.
  if (process.memoryUsage.rss() > limits.residentBytes) process.kill(process.pid, 'SIGKILL');
  else if (cpuOfProcess() - seen.cpu > limits.cpuMilliseconds || clock() - since > limits.milliseconds)
    process.kill(process.pid, 'SIGTERM');
}, lookEveryMs);

/** Milliseconds that the processors have worked for all threads of the process. */
function cpuOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function clock(): number {
  return Date.now() % 2 ** 31;
}
