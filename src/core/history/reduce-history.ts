import { untilStopped } from '../base/until-stopped.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { ChatReducer } from '../ports/chat-reducer.ts';
import type { Logger } from '../ports/logger.ts';

/** What a history is reduced with. */
export interface Reduction {
  readonly reducer: ChatReducer;
  /** Index of the first message that stays when the answer of the reducer cannot be used. */
  readonly otherwiseFrom: number;
  /** Aborts when the turn is stopped. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * The indexes of the messages that a reducer keeps (contract/sessions.md#a-reducer-of-your-own). The answer of a reducer is not used when
 * the reducer throws, takes too long, or keeps messages that cannot be sent. Such a case is logged, and `otherwiseFrom` decides.
 * @throws the signal's reason when the turn is stopped.
 */
export async function reduceHistory(
  history: readonly ChatMessage[],
  { reducer, otherwiseFrom, signal, log }: Reduction,
): Promise<number[]> {
  const limit = AbortSignal.timeout(reducer.timeoutMs);
  const either = AbortSignal.any([signal, limit]);
  try {
    const kept = await untilStopped(reducer.reduce(history, either), either);
    const fault = faultOf(kept, history);
    if (fault === undefined) return [...kept];
    log.warn({ plugin: reducer.name, reason: fault }, notFollowed);
  } catch (error) {
    signal.throwIfAborted();
    const reason = limit.aborted ? `no answer within ${String(reducer.timeoutMs)} ms` : error;
    log.warn({ plugin: reducer.name, reason }, notFollowed);
  }
  return history.flatMap((_message, index) => (index < otherwiseFrom ? [] : [index]));
}

const notFollowed = 'the chatReducer of a plugin is not followed this time';

/** Why a choice of messages cannot be sent to a model; undefined when it can. */
function faultOf(kept: readonly number[], history: readonly ChatMessage[]): string | undefined {
  if (kept.some((index) => history[index] === undefined)) return 'it gave a message that it was not given';
  if (kept.some((index, place) => place > 0 && index <= (kept[place - 1] ?? 0)))
    return 'it changed the order of messages, or gave one twice';
  const [first] = kept;
  if (first !== undefined && history[first]?.role !== 'user') return 'the first message is none of the user';
  return isWhole(new Set(kept), history) ? undefined : 'it parted a call from its result';
}

/** Whether each batch of calls either stays with all its results, or goes with all of them. */
function isWhole(kept: ReadonlySet<number>, history: readonly ChatMessage[]): boolean {
  const callers = new Map<string, number>();
  return history.every((message, index) => {
    if (message.role === 'assistant') for (const { id } of message.toolCalls) callers.set(id, index);
    if (message.role !== 'tool') return true;
    return kept.has(callers.get(message.callId) ?? index) === kept.has(index);
  });
}
