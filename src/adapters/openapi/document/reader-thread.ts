import { Worker } from 'node:worker_threads';
import { describeError } from '../../shared/describe-error.ts';
import { currentNetwork } from '../../shared/network/network.ts';
import { DocumentFault } from './document-fault.ts';
import type { ReadDocument } from './imported-operation.ts';
import type { ReadOrder } from './read-document.ts';

/** What the thread answers. */
export type ReaderAnswer = { readonly document: ReadDocument } | { readonly fault: string };

/**
 * Reads a document in a thread of its own, so that a hostile one takes neither the time nor the memory of the server.
 * @throws DocumentFault that says why the document cannot be used. @throws the signal's reason when the signal aborted.
 */
export async function readInThread(order: ReadOrder, signal: AbortSignal): Promise<ReadDocument> {
  signal.throwIfAborted();
  const { readMs, readMiB } = order.limits;
  const worker = new Worker(readerProgram(), {
    workerData: { order, network: currentNetwork() },
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: readMiB },
  });
  const answered = Promise.withResolvers<ReaderAnswer>();
  const timer = setTimeout(() => {
    answered.resolve({ fault: `takes longer to read than ${String(readMs / 1000)} s` });
  }, readMs);
  const onAbort = (): void => {
    answered.reject(signal.reason as Error); // whoever aborts gives an error
  };
  signal.addEventListener('abort', onAbort, { once: true });
  worker.on('message', (answer: ReaderAnswer) => {
    answered.resolve(answer);
  });
  worker.on('error', (error) => {
    const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const reason = isMemory
      ? `takes more memory to read than ${String(readMiB)} MiB; JSON takes less than YAML`
      : describeError(error);
    answered.resolve({ fault: isMemory ? reason : `cannot be read: ${reason}` });
  });
  worker.on('exit', () => {
    answered.resolve({ fault: 'cannot be read: its reader ended' });
  });
  try {
    const answer = await answered.promise;
    if ('document' in answer) return answer.document;
    throw new DocumentFault(answer.fault);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function readerProgram(): URL {
  const isBuilt = !import.meta.url.endsWith('.ts');
  return new URL(isBuilt ? './openapi-reader.js' : './document-reader.ts', import.meta.url);
}
