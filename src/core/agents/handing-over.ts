import type { HandOverCall } from '../calls/call-scope.ts';
import { handOffName, routeToSpecialistName } from '../tools/tool-name.ts';
import { outcomeOfServer, outcomeText, type ToolOutcome } from '../tools/tool-outcome.ts';
import { brokenOff } from './broken-off.ts';
import type { HandingRound, HandsOver } from './hands-over.ts';
import { memberConversation } from './member-conversation.ts';
import { type MemberReply, partsOf } from './member-reply.ts';
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

/** What the caller is told of an answer, or of a question to the user. */
function toldOf(
  name: string,
  { text, asksBack, standing }: MemberReply,
  { isShown }: { readonly isShown: boolean },
): string {
  const said = `${name} ${asksBack === true ? 'asks the user' : 'has answered'}:\n${text}`;
  const note = isShown && text !== '' ? `\n${shownNote}` : '';
  // Below a team, or below a specialist, others may have asked.
  const open = Object.entries(standing?.threads ?? {}).filter(([, { taskId }]) => taskId !== undefined);
  const asking = new Set([...(asksBack === true ? [name] : []), ...open.map(([agent]) => agent)]);
  const unread = open.flatMap(([agent, { question }]) =>
    question === undefined || text.includes(question) ? [] : [`\n${unreadQuestion(agent, question)}`],
  );
  const waiting = asking.size === 0 ? '' : `\n${openQuestion([...asking].join(', '), name)}`;
  return `${said}${note}${waiting}${unread.join('')}`;
}

/** The user has not been shown this question. */
function unreadQuestion(agent: string, question: string): string {
  return `[The user has not read what ${agent} asks. Ask the user this, as a question of ${agent}:\n${question}\n]`;
}

/** `route` is the agent by way of whom the answer comes to those who have asked. */
function openQuestion(asking: string, route: string): string {
  return `[${asking} waits for the answer of the user. Do not answer in place of the user. When a message of the user answers the question, hand that message over to ${route} with ${routeToSpecialistName}, in the words of the user.]`;
}

const shownNote =
  '[The user has read this answer, under the name of the agent. Do not repeat it. Add only what is missing, in at most a short sentence.]';

function outcomeOf(name: string, reply: MemberReply, { isShown }: { readonly isShown: boolean }): ToolOutcome {
  const { status, text, influencedBy, standing } = reply;
  const isAnswer = status === 'succeeded';
  const told = isAnswer ? toldOf(name, reply, { isShown }) : text;
  return {
    status,
    text: told,
    origin: isAnswer ? 'model' : 'operator',
    ...(influencedBy === undefined ? {} : { influencedBy }),
    ...(standing === undefined ? {} : { standing }),
    ...(isAnswer && reply.isUnsaid === true && isShown ? { unsaid: partsOf(name, reply) } : {}),
  };
}
