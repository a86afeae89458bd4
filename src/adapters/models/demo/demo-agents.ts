import { leaderOf } from '../../../core/agents/agent-words.ts';
import { requestMark } from '../../../core/prompt/request-mark.ts';
import type { ChatMessage, ModelRequest } from '../../../core/ports/chat-model.ts';
import { handOffName, routeToSpecialistName } from '../../../core/tools/tool-name.ts';
import type { Conversation } from './conversation.ts';
import { mostHits } from './most-hits.ts';
import type { PlannedCall } from './plan-reply.ts';

/** An agent in the list of a tool that hands over, or of a task for the leader of a team. */
const entry = /^- ([^:\n]+): (.*)$/gm;
/** What another agent has said, under its name. */
const spoken = /^([^:\n]{1,64}): ([^]*)$/;

/** Whether a tool only hands over. The words of its name say nothing about what it is called for. */
export function isHandOverTool(name: string): boolean {
  return name === routeToSpecialistName || name === handOffName;
}

/**
 * The conversation as an agent hears it to whom something was handed over: the request stands in the place of what the user has said, and
 * what other agents have said is no request.
 */
export function heardByAgent(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.flatMap((message): readonly ChatMessage[] => {
    if (message.role !== 'user' || message.origin !== 'model') return [message];
    return message.text.startsWith(requestMark) ? [{ ...message, text: message.text.slice(requestMark.length) }] : [];
  });
}

/** What the leader of a team decides or writes. Undefined when the request is for nobody who leads a team. */
export function leaderAnswer({ instructions, messages, format }: ModelRequest): string | undefined {
  if (!instructions.includes(leaderOf('').slice(0, -1))) return undefined;
  const task = messages.at(-1)?.text ?? '';
  const begun = messages.findLastIndex(({ text }) => text.startsWith(requestMark));
  const said = messages.slice(begun + 1, -1).flatMap(({ text }) => {
    const [, name = '', words = ''] = spoken.exec(text) ?? [];
    return name === '' || name === 'Plan' ? [] : [{ name, words }];
  });
  const members = [...task.matchAll(entry)].map(([, name = '']) => name);
  if (format === 'json') {
    // Each member works once, in the order of the list.
    const next = members.find((member) => !said.some(({ name }) => name === member)) ?? null;
    return JSON.stringify({ next, done: next === null, progress: true, task: requestIn(messages) });
  }
  if (members.length > 0) return members.map((member, index) => `${String(index + 1)}. ${member}`).join('\n');
  return said.map(({ name, words }) => `**${name}**: ${words}`).join('\n\n');
}

/** What was asked of the team. */
function requestIn(messages: readonly ChatMessage[]): string {
  const request = messages.findLast(({ text }) => text.startsWith(requestMark))?.text ?? '';
  return request.slice(requestMark.length);
}

/** Hands over to the agent whose name the question says, or whose description shares the most words with it. */
export function handOver(
  { tools, toolChoice }: Pick<ModelRequest, 'tools' | 'toolChoice'>,
  question: string,
  canAnswer: boolean,
): PlannedCall | undefined {
  const tool = tools.find(({ name }) => isHandOverTool(name));
  if (tool === undefined || toolChoice === 'none') return undefined;
  const agents = [...tool.description.matchAll(entry)].map(([, name = '', words = '']) => ({ name, words }));
  const named = namedIn(question, agents);
  const fitting = canAnswer ? undefined : mostHits(question, agents);
  const agent = named?.name ?? fitting;
  if (agent === undefined) return undefined;
  return tool.name === handOffName
    ? { name: tool.name, arguments: { to: agent, reason: question } }
    : { name: tool.name, arguments: { name: agent, request: question } };
}

/** The first agent whose name stands in the question, best as words of its own. A name that is a part of another one there is passed over. */
function namedIn<Agent extends { readonly name: string }>(
  question: string,
  agents: readonly Agent[],
): Agent | undefined {
  const text = question.toLowerCase();
  const said = agents
    .map((agent) => ({ agent, name: agent.name.toLowerCase() }))
    .filter(({ name }) => text.includes(name));
  const alone = said.filter(({ name }) => standsAlone(name, text));
  const best = alone.length > 0 ? alone : said;
  return best.find(({ name }) => !best.some((other) => other.name !== name && other.name.includes(name)))?.agent;
}

function standsAlone(name: string, text: string): boolean {
  const letter = /[\p{L}\p{N}]/u;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!letter.test(text.charAt(at - 1)) && !letter.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

/** What is said after an agent has answered in this turn: nothing, or why it has not. Undefined when nothing was handed over. */
export function afterHandOver(conversation: Conversation): string | undefined {
  const last = conversation.callsOfThisTurn().findLast(({ name }) => isHandOverTool(name));
  if (last === undefined) return undefined;
  return last.status === 'succeeded' ? '' : last.text;
}
