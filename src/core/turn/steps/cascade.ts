import type { Agent } from '../../agents/agent.ts';
import { coordinatorName } from '../../agents/coordinator-name.ts';
import { replyKey } from '../../agents/recorded-reply.ts';
import { replacedKey } from '../../agents/replaced-reply.ts';
import type { AgentRun, AskedAgain } from '../../agents/run-agent.ts';
import { spokenRounds } from '../../agents/spoken-rounds.ts';
import { receiptsOf } from '../../calls/receipts.ts';
import { tenantOf } from '../../identity/principal.ts';
import { type Choice, chooseReply } from '../../routing/choose-model.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import type { TurnServices } from '../live/turn-services.ts';

const key = 'cascade';

/** Runs the coordinator, as the agent that it is given. */
type Run = (coordinator: Agent, again?: AskedAgain) => Promise<AgentRun>;

/** Whether the reply of the usual model is judged, and may be made anew by the strong one (contract/models.md#routing, `Cascade`). */
export function isCascading(
  { request }: Pick<LiveTurn, 'request'>,
  { routing }: Pick<TurnServices, 'routing'>,
): boolean {
  return routing?.judge !== undefined && request.isReadWhole === true;
}

/**
 * Runs the coordinator with the usual model, and where its reply is not good enough, once more with the strong one, which sees what the calls
 * of the first have come to. A reply stands when it rests on more than look-ups of its own: nothing is done twice. The verdict is recorded,
 * so that a turn that goes on from a record goes the same way.
 */
export function cascading(turn: LiveTurn, services: TurnServices, run: Run): Run {
  const { routing } = services;
  const judge = routing?.judge;
  if (routing === undefined || judge === undefined || !isCascading(turn, services)) return run;
  const { record, signal, request } = turn;
  let answering: Agent | undefined;
  return async (coordinator, again) => {
    const first = await run(answering ?? coordinator, again);
    if (answering !== undefined) return first;
    answering = coordinator;
    const choice = await record.step(key, (): Promise<Choice> => {
      turn.requireRunning();
      if (!mayBeMadeAnew(turn)) return Promise.resolve('usual');
      const { text } = request.message;
      const judged = { text, reply: first.reply.text, tenant: tenantOf(turn.principal), spender: turn.spender };
      return chooseReply(judged, judge, { signal, log: services.calls.log });
    });
    if (choice === 'usual') return first;
    answering = { ...coordinator, model: routing.strong };
    // The reply is held, so nobody has read it.
    record.now(replacedKey(replyKey(coordinatorName, first.round)), () => '');
    return run(answering, { after: first });
  };
}

/** Whether all that the turn has done was to look something up by itself. */
function mayBeMadeAnew({ record }: LiveTurn): boolean {
  return receiptsOf(record).length === 0 && spokenRounds(record).every(({ agent }) => agent === undefined);
}
