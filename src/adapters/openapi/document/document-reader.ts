/** The thread that reads documents. A document that takes too long or too much memory ends the thread, and nothing else. */
import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../../shared/describe-error.ts';
import { type Network, useNetwork } from '../../shared/network/network.ts';
import { DocumentFault } from './document-fault.ts';
import { type ReadOrder, readDocument } from './read-document.ts';
import type { ReaderAnswer } from './reader-thread.ts';

const { order, network } = workerData as { readonly order: ReadOrder; readonly network: Network }; // reader-thread.ts gives nothing else
useNetwork(network);

async function answer(): Promise<ReaderAnswer> {
  try {
    return { document: await readDocument(order, AbortSignal.timeout(order.limits.readMs)) };
  } catch (error) {
    const reason = describeError(error);
    return { fault: error instanceof DocumentFault ? reason : `cannot be read: ${reason}` };
  }
}

parentPort?.postMessage(await answer());
