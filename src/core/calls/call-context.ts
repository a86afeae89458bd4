import type { ToolContext } from '../tools/tool.ts';
import { toolUser } from '../tools/tool-user.ts';
import type { CheckedCall } from './tool-call.ts';

/** What a tool is told of its call, except for the members that belong to the run of the call. */
export function callContext({
  call,
  tool,
  scope,
  principal,
  isApproved,
  again,
}: CheckedCall): Omit<ToolContext, 'signal' | 'progress'> {
  const { turn, services } = scope;
  const { caller, channel, page } = turn.request;
  const { authorization, traceparent } = caller;
  const span = turn.record.trace?.traceparent;
  const { callId } = call;
  return {
    user: toolUser(principal ?? caller.principal),
    callId,
    turnId: turn.id,
    conversationId: turn.conversationId,
    channel: channel.name,
    page,
    ...again,
    ...(authorization === undefined ? {} : { authorization }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(span === undefined ? {} : { span }),
    ...(isApproved === undefined ? {} : { isApproved }),
    log: services.log.child({ tool: tool.name, callId, turnId: turn.id }),
  };
}
