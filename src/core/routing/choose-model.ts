import { untilStopped } from '../base/until-stopped.ts';
import type { Logger } from '../ports/logger.ts';
import type { RoutedMessage, Router } from './routing.ts';

/** Milliseconds that an answer waits for the choice of its model. */
const longestWaitMs = 5_000;

/** Which model answers: JSON, which is recorded. */
export type Choice = 'strong' | 'usual';

/**
 * Asks a router which model answers a message. Whatever goes wrong, and what takes longer than 5 s, is a warning, and the usual model
 * answers.
 * @throws the signal's reason once that aborts.
 */
export async function chooseModel(
  message: RoutedMessage,
  router: Router,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Pick<Logger, 'warn'> },
): Promise<Choice> {
  const limit = AbortSignal.timeout(longestWaitMs);
  const either = AbortSignal.any([signal, limit]);
  try {
    // Code of hosts may return anything: only true and false are answers.
    const needsStrong: unknown = await untilStopped(router.needsStrong(message, either), either);
    if (typeof needsStrong !== 'boolean') throw new Error('the answer was neither true nor false');
    return needsStrong ? 'strong' : 'usual';
  } catch (error) {
    signal.throwIfAborted();
    const reason = limit.aborted ? `no answer within ${String(longestWaitMs)} ms` : error;
    log.warn({ reason }, 'nobody could tell which model should answer: chatClient does');
    return 'usual';
  }
}
