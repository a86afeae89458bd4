/** The process that reads files. All parsing happens here, one file at a time. Of documents the server sends the
 * names, never the content. Files of messages stand in no folder, so their content is sent. */
import { Worker } from 'node:worker_threads';
import type { FromReader, Job } from './messages.ts';
import { readDocument } from './read-document.ts';
import { readLimits } from './read-limits.ts';
import { readSent } from './read-sent.ts';
import type { ReaderWatch } from './reader-watch.ts';

const begun = new Int32Array(new SharedArrayBuffer(4));
const isBuilt = !import.meta.url.endsWith('.ts');
const watch = new Worker(new URL(isBuilt ? './knowledge-reader-watch.js' : './reader-watch.ts', import.meta.url), {
  workerData: { begun, limits: { ...readLimits, ...ownLimits() } } satisfies ReaderWatch,
  resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
});

function tell(message: FromReader): void {
  process.send?.(message);
}

let last = Promise.resolve();

process.on('message', (job) => {
  last = last.then(() => read(job as Job)); // reader-process.ts sends nothing but jobs
});

process.on('disconnect', () => {
  void watch.terminate();
});

watch.once('online', () => {
  tell({ kind: 'ready' });
});

/** The limits by which the server wants this process to read. Without any, those of documents apply. */
function ownLimits(): Partial<ReaderWatch['limits']> {
  return JSON.parse(process.argv[2] ?? '{}') as Partial<ReaderWatch['limits']>; // reader-process.ts writes it
}

async function read(job: Job): Promise<void> {
  Atomics.store(begun, 0, Math.max(1, Date.now() % 2 ** 31));
  const result = await ('data' in job ? readSent(job) : readDocument(job));
  Atomics.store(begun, 0, 0);
  tell({ kind: 'read', id: job.id, result, residentBytes: process.memoryUsage.rss() });
}
