/**
 * A process that reads a file for ever under the watch of its reader: `work` keeps a processor busy, and `wait` does nothing. The other
 * arguments are its limits, in milliseconds of work and in all.
 */
import { Worker } from 'node:worker_threads';
import { readLimits } from '../../src/adapters/knowledge/files/reader/read-limits.ts';
import type { ReaderWatch } from '../../src/adapters/knowledge/files/reader/reader-watch.ts';

const [, , what, cpuMilliseconds, milliseconds] = process.argv;
const begun = new Int32Array(new SharedArrayBuffer(4));
const { residentBytes } = readLimits;
const limits = { residentBytes, cpuMilliseconds: Number(cpuMilliseconds), milliseconds: Number(milliseconds) };
const watch = new Worker(new URL('../../src/adapters/knowledge/files/reader/reader-watch.ts', import.meta.url), {
  workerData: { begun, limits } satisfies ReaderWatch,
});
watch.once('online', () => {
  Atomics.store(begun, 0, Math.max(1, Date.now() % 2 ** 31));
  process.stdout.write('reads\n');
  if (what === 'work') for (;;);
});
