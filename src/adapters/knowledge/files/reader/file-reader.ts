/** The process that reads files. All parsing happens here, one file at a time. The server sends the names of files, never their content. */
import { Worker } from 'node:worker_threads';
import type { FromReader, ReadJob } from './messages.ts';
import { readDocument } from './read-document.ts';
import { readLimits } from './read-limits.ts';
import type { ReaderWatch } from './reader-watch.ts';

const begun = new Int32Array(new SharedArrayBuffer(4));
const isBuilt = !import.meta.url.endsWith('.ts');
const watch = new Worker(new URL(isBuilt ? './knowledge-reader-watch.js' : './reader-watch.ts', import.meta.url), {
  workerData: { begun, limits: readLimits } satisfies ReaderWatch,
  resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
});

function tell(message: FromReader): void {
  process.send?.(message);
}

let last = Promise.resolve();

process.on('message', (job) => {
  last = last.then(() => read(job as ReadJob)); // reader-process.ts sends nothing but jobs
});

process.on('disconnect', () => {
  void watch.terminate();
});

watch.once('online', () => {
  tell({ kind: 'ready' });
});

async function read(job: ReadJob): Promise<void> {
  Atomics.store(begun, 0, Math.max(1, Date.now() % 2 ** 31));
  const result = await readDocument(job);
  Atomics.store(begun, 0, 0);
  tell({ kind: 'read', id: job.id, result, residentBytes: process.memoryUsage.rss() });
}
