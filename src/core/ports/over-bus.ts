import { HelperError } from '../errors/helper-error.ts';
import { BusAway } from './bus-away.ts';

/** Milliseconds after which a request that needs another replica may go well. Another replica may also be the one that it needs. */
const retryAfterMs = 1_000;

/**
 * Does something for a request that needs another replica (contract/replicas.md#away).
 * @throws HelperError `cluster_unavailable` where the bus is away, and nobody knows whether the other replica has done it; everything else that
 *   `work` throws, such as `ReplicaGone` and `AnswerFailed`.
 */
export async function overBus<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof BusAway)) throw cause;
    throw clusterUnavailable(cause);
  }
}

/** The fault of a request that needs a replica which cannot be reached. */
export function clusterUnavailable(cause?: unknown): HelperError {
  const message = 'The server that knows of this cannot be reached now. Try again in a moment.';
  return new HelperError('cluster_unavailable', message, { cause, retryAfterMs });
}
