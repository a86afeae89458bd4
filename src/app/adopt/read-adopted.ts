import type { ReadDocument } from '../../adapters/openapi/document/imported-operation.ts';
import { readInThread } from '../../adapters/openapi/document/reader-thread.ts';
import { openapiLimits } from '../../adapters/openapi/openapi-limits.ts';
import { openNetwork } from '../open-network.ts';

/** Most operations that are read. A longer file would not be read by anybody. */
const mostListed = 2_000;

const straight = { network: { proxy: null, noProxy: [], ca: [] } };

/**
 * Reads every operation of a document, for a configuration that begins with it. No secret is sent. The proxy of the environment holds.
 * @throws Error that says why the document cannot be used. @throws StartupFaults where the environment names no proxy that can be used.
 */
export function readAdopted(
  document: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<ReadDocument> {
  openNetwork(straight, environment);
  const limits = { ...openapiLimits, operations: mostListed };
  const order = {
    document,
    headers: {},
    operations: ['*'],
    named: [],
    configuredHeaders: [],
    isChecked: false,
    limits,
  };
  return readInThread(order, signal);
}
