import type { HandOverCall } from '../calls/call-scope.ts';
import { handOffName } from '../tools/tool-name.ts';
import { outcomeOfServer, outcomeText, type ToolOutcome } from '../tools/tool-outcome.ts';
import { brokenOff } from './broken-off.ts';
import type { HandingRound, HandsOver } from './hands-over.ts';
import { memberConversation } from './member-conversation.ts';
import type { MemberReply } from './member-reply.ts';
import type { MemberScope } from './staff.ts';

/** How an agent in this scope hands over. `scope.depth` is the depth of the agent that hands over. */
export function handingOver(scope: Omit<MemberScope, 'path'>): HandsOver {
  return { of: (round) => (call) => handOverTo(call, round, scope) };
}

async function handOverTo(
  { name: tool, at, argumentsValue }: HandOverCall,
  { read, isAlone }: HandingRound,
  scope: Omit<MemberScope, 'path'>,
): Promise<ToolOutcome> {
  if (tool === handOffName) return outcomeOfServer('succeeded', 'The member answers now.');
  // `checkArguments` of the tool says that both are texts.
  const { name, request } = argumentsValue as { readonly name: string; readonly request: string };
  const asked = {
    ...scope,
    path: `${at}/${name}`,
    depth: scope.depth + 1,
    isSilent: scope.isSilent || !isAlone,
    mayHandOffTo: undefined,
    round: undefined,
  };
  try {
    const reply = await scope.runMember(name, memberConversation(read, request), asked);
    return outcomeOf(name, reply, { isShown: !scope.isSilent });
  } catch (fault) {
    if (scope.turn.mayBegin) throw fault;
    return brokenOff(scope.turn.record, at) ?? outcomeOfServer('cancelled', outcomeText.cancelled);
  }
}

const shownNote =
  '[The user has read this answer, under the name of the agent. Do not repeat it. Add only what is missing, in at most a short sentence.]';

function outcomeOf(name: string, reply: MemberReply, { isShown }: { readonly isShown: boolean }): ToolOutcome {
  const { status, text, influencedBy, standing } = reply;
  const isAnswer = status === 'succeeded';
  const told = isAnswer ? `${name} has answered:\n${text}${isShown && text !== '' ? `\n${shownNote}` : ''}` : text;
  return {
    status,
    text: told,
    origin: isAnswer ? 'model' : 'operator',
    ...(influencedBy === undefined ? {} : { influencedBy }),
    ...(standing === undefined ? {} : { standing }),
    ...(isAnswer && reply.isUnsaid === true && isShown ? { unsaid: { agent: name, text } } : {}),
  };
}
