import { untilStopped } from '../base/until-stopped.ts';
import type { Logger } from '../ports/logger.ts';
import type { JudgedReply, ReplyJudge, RoutedMessage, Router } from './routing.ts';

/** Most milliseconds that a reply waits for the choice of its model. */
const longestWaitMs = 5_000;

/** The model that answers. The value is recorded, so it must be JSON. */
export type Choice = 'strong' | 'usual';

/**
 * Asks a router which model answers a message. When the router fails or takes longer than 5 s, a warning is logged, and the usual model
 * answers.
 * @throws the signal's reason once that aborts.
 */
export async function chooseModel(
  message: RoutedMessage,
  router: Router,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Pick<Logger, 'warn'> },
): Promise<Choice> {
  const asked = (either: AbortSignal): Promise<unknown> => router.needsStrong(message, either);
  return chosen(asked, 'nobody could tell which model should answer: chatClient does', { signal, log });
}

/**
 * Asks a judge which model's reply a message gets. When the judge fails or takes longer than 5 s, a warning is logged, and the reply of the
 * usual model stands.
 * @throws the signal's reason once that aborts.
 */
export function chooseReply(
  judged: JudgedReply,
  judge: ReplyJudge,
  services: { readonly signal: AbortSignal; readonly log: Pick<Logger, 'warn'> },
): Promise<Choice> {
  const asked = (either: AbortSignal): Promise<unknown> => judge(judged, either);
  return chosen(asked, 'nobody could tell whether the reply is good enough: it stands', services);
}

async function chosen(
  ask: (signal: AbortSignal) => Promise<unknown>,
  otherwise: string,
  { signal, log }: { readonly signal: AbortSignal; readonly log: Pick<Logger, 'warn'> },
): Promise<Choice> {
  const limit = AbortSignal.timeout(longestWaitMs);
  const either = AbortSignal.any([signal, limit]);
  try {
    // The router may be code of the host and may return anything. Only true and false are valid answers.
    const needsStrong = await untilStopped(ask(either), either);
    if (typeof needsStrong !== 'boolean') throw new Error('the answer was neither true nor false');
    return needsStrong ? 'strong' : 'usual';
  } catch (error) {
    signal.throwIfAborted();
    const reason = limit.aborted ? `no answer within ${String(longestWaitMs)} ms` : error;
    log.warn({ reason }, otherwise);
    return 'usual';
  }
}
