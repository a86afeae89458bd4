import { outcomeOfServer, outcomeSwitchedOff, outcomeText, type ToolOutcome } from '../tools/tool-outcome.ts';
import type { FittingCall } from './check-call.ts';
import type { CallScope } from './call-scope.ts';
import { callsBefore, outcomeOfRepetition } from './repeated-call.ts';
import type { EnteredCall, ToolCall } from './tool-call.ts';

/** How often the coordinator may hand over in a turn, and any other agent each time that it is asked. Otherwise a tree of agents has no end. */
const mostHandOvers = { coordinator: 10, others: 3 } as const;

const handedOverEnough =
  'This was not handed over: you have handed over too often already. Answer with what you have been told, and say what is missing.';

/**
 * A call that hands over to other agents (contract/agents.md#handing-over). It changes nothing by itself, so nobody is asked and the
 * journal has no row of it. The calls of the agents pass the same door as all calls.
 *
 * A turn that goes on after a restart or a Stop enters the agents again, because the journal may have rows of their calls.
 * @throws what the agents throw where the turn cannot go on.
 */
export async function handOver(
  { call, at, scope }: EnteredCall,
  { tool, argumentsValue }: FittingCall,
): Promise<ToolOutcome> {
  const { turn, services } = scope;
  const { callId, name } = call;
  turn.callIs(callId, 'running');
  if (!turn.record.hasBelow(`${at}/`)) {
    if (!turn.mayBegin) return outcomeOfServer('cancelled', outcomeText.cancelled);
    const repeated = outcomeOfRepetition(call, scope);
    if (repeated !== undefined) return repeated;
    if (hasHandedOverEnough(call, scope)) return outcomeOfServer('refused', handedOverEnough);
    if (services.policy.isSwitchedOff(tool, true)) return outcomeSwitchedOff(tool, services.texts);
  }
  if (scope.handOver === undefined) return outcomeOfServer('failed', outcomeText.serverFault);
  return scope.handOver({ callId, name, at, argumentsValue });
}

/** Decides by the record alone, so that a turn that goes on after a restart decides the same. */
function hasHandedOverEnough(call: ToolCall, { turn, path }: CallScope): boolean {
  const before = callsBefore(call, turn.record, path);
  const most = /^coordinator\/\d+$/.test(path) ? mostHandOvers.coordinator : mostHandOvers.others;
  return before.filter((earlier) => earlier.name === call.name).length >= most;
}
