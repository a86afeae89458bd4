import type { ReadDocument } from '../../adapters/openapi/document/imported-operation.ts';
import { readInThread } from '../../adapters/openapi/document/reader-thread.ts';
import { openapiLimits } from '../../adapters/openapi/openapi-limits.ts';

/**
 * Reads every operation of a document, for a configuration that begins with it. No secret is sent.
 * @throws Error that says why the document cannot be used.
 */
export function readAdopted(document: string, signal: AbortSignal): Promise<ReadDocument> {
  const order = { document, headers: {}, operations: ['*'], named: [], configuredHeaders: [], limits: openapiLimits };
  return readInThread(order, signal);
}
