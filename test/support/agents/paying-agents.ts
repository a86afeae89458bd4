import type { TeamMode } from '../../../src/core/agents/agent-definition.ts';
import type { RosterAgent } from '../../../src/core/agents/roster.ts';
import type { ChatModel, ModelReply, ModelRequest } from '../../../src/core/ports/chat-model.ts';
import { call } from '../fake-model.ts';
import { specialist, team } from './roster.ts';

type Saying = Partial<Pick<ModelReply, 'text' | 'toolCalls'>>;

/** A model that keeps nothing: it says what follows from the request, in any process. */
export function decidingModel(decide: (request: ModelRequest) => Saying): ChatModel {
  return {
    model: 'deciding',
    provider: 'test',
    isDemo: false,
    run: async (request, sink) => {
      request.signal.throwIfAborted();
      const { text = '', toolCalls = [] } = decide(request);
      await Promise.resolve();
      request.signal.throwIfAborted();
      if (text !== '') sink.text(JSON.stringify(text).slice(1, -1));
      const usage = { inputTokens: 10, outputTokens: 5 };
      return { text, toolCalls, usage, model: 'deciding', finish: toolCalls.length > 0 ? 'tool-calls' : 'stop' };
    },
    close: () => Promise.resolve(),
  };
}

/** Hands over to the agent `Desk`, and then says nothing more. */
export const routingModel = decidingModel(({ messages }) =>
  messages.at(-1)?.role === 'tool'
    ? { text: '' }
    : { toolCalls: [call('route_to_specialist', { name: 'Desk', request: 'Pay it' })] },
);

/** Calls `pay` for itself once, and says what came of it. */
const payer = (name: string): ChatModel =>
  decidingModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== 'tool') return { toolCalls: [call('pay', { by: name })] };
    return { text: `${name}: ${/^\[(\w+)\]/.exec(last.text)?.[1] ?? ''}.` };
  });

/** Gives the conversation to `Cash`. */
const handing = decidingModel(() => ({ toolCalls: [call('hand_off', { to: 'Cash', reason: 'Cash pays' })] }));

/** A manager that lets `Cash` work once. */
const managing = decidingModel(({ messages, format }) => {
  const hasWorked = messages.some(({ text }) => text.startsWith('Cash: Cash:'));
  if (format === 'json')
    return { text: JSON.stringify({ done: hasWorked, progress: true, next: 'Cash', task: 'Pay' }) };
  const said = messages.findLast(({ text }) => text.startsWith('Cash: Cash:'))?.text;
  return { text: said === undefined ? 'The plan.' : said.replace('Cash: ', '') };
});

const talking = decidingModel(() => ({ text: 'Noted.' }));

/** What stands behind the name `Desk`. */
export const desks = ['specialist', 'sequential', 'concurrent', 'groupChat', 'handoff', 'magentic'] as const;

/** Agents among whom `Cash`, or the specialist `Desk` itself, pays once when the coordinator hands over to `Desk`. */
export function payingAgents(desk: (typeof desks)[number]): readonly RosterAgent[] {
  if (desk === 'specialist') return [specialist({ name: 'Desk', tools: ['pay'] }, payer('Desk'))];
  const cash = specialist({ name: 'Cash', tools: ['pay'] }, payer('Cash'));
  const other = specialist({ name: 'Clerk' }, desk === 'handoff' ? handing : talking);
  return [cash, other, deskTeam(desk)];
}

function deskTeam(mode: TeamMode): RosterAgent {
  const options = mode === 'groupChat' ? { maxRounds: 2 } : {};
  return team(mode, { name: 'Desk', members: ['Clerk', 'Cash'], options }, managing);
}
