/** The thread that reads documents. A document that takes too long or too much memory ends the thread, and nothing else. */
import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../../shared/describe-error.ts';
import { DocumentFault } from './document-fault.ts';
import { type ReadOrder, readDocument } from './read-document.ts';
import type { ReaderAnswer } from './reader-thread.ts';

const order = workerData as ReadOrder; // reader-thread.ts gives nothing else

async function answer(): Promise<ReaderAnswer> {
  try {
    return { document: await readDocument(order, AbortSignal.timeout(order.limits.readMs)) };
  } catch (error) {
    const reason = describeError(error);
    return { fault: error instanceof DocumentFault ? reason : `cannot be read: ${reason}` };
  }
}

parentPort?.postMessage(await answer());
