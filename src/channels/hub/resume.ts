import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import type { ResumeResult } from '../../wire/hub-methods.ts';
import type { HubSession } from './hub-session.ts';
import type { InvocationMethod } from './protocol/hub-application.ts';
import { readResumeArgument } from './read-arguments.ts';

/**
 * `Resume` (contract/hub.md#when-the-line-breaks): makes a turn of a lost connection this one's own. The result goes out first, then the events
 * after `afterSeq` as hub events. Null when the turn is unknown or someone else's, or its events are no longer all there.
 */
export const resume: InvocationMethod<HubSession> = {
  kind: 'invocation',
  parameters: 1,
  // Runs beside the turn. Only one replay runs at a time: the outbox sees each replay before the next is read out.
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
