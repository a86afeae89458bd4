import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import type { ResumeResult } from '../../wire/hub-methods.ts';
import type { HubSession } from './hub-session.ts';
import type { InvocationMethod } from './protocol/hub-application.ts';
import { readResumeArgument } from './read-arguments.ts';

/**
 * `Resume` (contract/hub.md#when-the-line-breaks): this connection takes over a turn of a lost connection. The result is sent first, then
 * the events after `afterSeq` as hub events. The result is null when the turn is unknown or belongs to someone else, or when some of its
 * events are gone.
 */
export const resume: InvocationMethod<HubSession> = {
  kind: 'invocation',
  parameters: 1,
  // The method runs beside a turn. Only one replay runs at a time, so that the outbox can send each replay before the next one is read.
  concurrent: false,
  invoke: async (hub, call): Promise<ResumeResult | null> => {
    const { turnId, afterSeq } = readResumeArgument(call.arguments);
    // The replay before this one is flushed by then.
    await nextTurnOfTheLoop();
    const taken = await hub.takeOver(turnId, afterSeq);
    if (taken === undefined) return null;
    call.afterResult(taken.release);
    return { turnId, lastSeq: taken.turn.lastSeq, running: taken.turn.running };
  },
};
