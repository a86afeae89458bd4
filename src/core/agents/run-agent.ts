import { joined } from '../base/joined.ts';
import type { CallServices } from '../calls/call-scope.ts';
import { isLastMistake } from '../calls/equal-mistakes.ts';
import { invokeTool } from '../calls/invoke-tool.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { Agent } from './agent.ts';
import { type AgentScope, askModel } from './ask-model.ts';
import { handedOff } from './hand-off.ts';
import type { HandsOver } from './hands-over.ts';
import { sayUnsaid } from './say-for.ts';
import { HostedRound } from './hosted/hosted-round.ts';
import { hostedMessages } from './hosted/hosted-said.ts';
import {
  type AssistantMessage,
  assistantMessage,
  type RecordedReply,
  replyKey,
  toolMessage,
} from './recorded-reply.ts';
import { saidAndDone } from './said-and-done.ts';

type LoopScope = AgentScope & {
  readonly services: CallServices;
  readonly again?: AskedAgain | undefined;
  /** Runs the agents whom this one hands over to. Left out: it hands over to nobody. */
  readonly handingOver?: HandsOver | undefined;
};

/** A round whose reply has calls. */
interface CallingRound {
  readonly number: number;
  readonly reply: RecordedReply;
  readonly said: AssistantMessage;
  /** What the model was sent, and the calls that its provider has made since then. */
  readonly before: readonly ChatMessage[];
}

/** What the next round begins with. */
interface NextRound {
  readonly messages: readonly ChatMessage[];
  /** The reply that is already asked for: the request with the approvals asks for it. */
  readonly reply?: Promise<RecordedReply> | undefined;
  /** The agent cannot call its tools right, and has to answer without them. */
  readonly isLast?: boolean;
}

/** How far an agent has come. */
export interface AgentRun {
  /** The number of the round that has replied. */
  readonly round: number;
  /** What the model was sent in that round. */
  readonly messages: readonly ChatMessage[];
  readonly reply: RecordedReply;
}

/** Asks an agent once more after its reply, which MUST have been replaced (`replacedKey`), as if it had not replied. */
export interface AskedAgain {
  readonly after: AgentRun;
  /** The model must call one of these tools first. Left out: it may reply at once. */
  readonly toolbox?: Toolbox;
}

/**
 * The loop of every agent (docs/architecture.md): model → tool calls → outcomes → model … → reply. Calls of one round
 * run side by side; the model goes on when all of them have an outcome.
 * @throws what `askModel` throws.
 */
export async function runAgent(agent: Agent, given: readonly ChatMessage[], scope: LoopScope): Promise<AgentRun> {
  const { again } = scope;
  // The reply was taken back, so the model reads of it what the history has.
  const earlier = again === undefined ? [] : saidAndDone(scope.turn.record, scope.path, again.after.round);
  const messages = [...given, ...earlier];
  let next: NextRound = { messages };
  for (let number = firstRound(scope); ; number += 1) {
    const required = number === firstRound(scope) ? again?.toolbox : undefined;
    // Only these tools are offered then. A call of a tool that the provider runs would count as the required call.
    const asked = required === undefined ? agent : { ...agent, toolbox: required, hosted: undefined };
    const reply = await (next.reply ??
      askModel(asked, next.messages, {
        ...roundScope(agent, number, scope),
        ...(next.isLast === true && { toolChoice: 'none' }),
      }));
    messages.push(...hostedMessages(reply));
    const said = assistantMessage(reply);
    if (reply.calls.length === 0 || said === undefined) return { round: number, messages, reply };
    const ended = await makeCalls(asked, { number, reply, said, before: [...messages] }, scope);
    messages.push(said, ...ended.outcomes);
    if (ended.isHandedOff) return { round: number, messages, reply };
    next = ended.next;
  }
}

function firstRound({ again }: Pick<LoopScope, 'again'>): number {
  return again === undefined ? 0 : again.after.round + 1;
}

function roundScope({ maxRounds }: Agent, number: number, scope: LoopScope): Parameters<typeof askModel>[2] {
  const first = firstRound(scope);
  const isRequired = scope.again?.toolbox !== undefined && number === first;
  const toolChoice = number - first >= maxRounds ? 'none' : isRequired ? 'required' : 'auto';
  return { ...scope, path: replyKey(scope.path, number), toolChoice };
}

async function makeCalls(
  agent: Agent,
  round: CallingRound,
  scope: LoopScope,
): Promise<{ readonly outcomes: readonly ChatMessage[]; readonly next: NextRound; readonly isHandedOff: boolean }> {
  const { turn, services } = scope;
  const { number, reply, said, before } = round;
  const path = replyKey(scope.path, number);
  const handOver = scope.handingOver?.of({ read: before, isAlone: reply.calls.length === 1 });
  const callScope = { turn, agent, services, path, read: [...before, said], handOver };
  const hosted = hostedRound(agent, round, scope);
  const ended = await joined(
    reply.calls.map(async (call) => {
      const invoked = invokeTool(call, hosted?.scopeOf(call, callScope) ?? callScope);
      const outcome = await (hosted === undefined ? invoked : hosted.settling(call, invoked));
      return { at: `${path}/call/${call.callId}`, outcome, message: toolMessage(call, outcome) };
    }),
  );
  await sayUnsaid(ended, turn);
  const outcomes = ended.map(({ message }) => message);
  const messages = [...before, ...(hosted?.answered ?? [said, ...outcomes])];
  const isHandedOff = handedOff(turn.record, path, reply) !== undefined;
  const isLast = ended.some(({ outcome }) => isLastMistake(outcome));
  return { outcomes, next: { messages, reply: hosted?.next, isLast }, isHandedOff };
}

/** The round of calls that the provider makes. Undefined where this server makes all calls of the round. */
function hostedRound(
  agent: Agent,
  { number, reply, said, before }: CallingRound,
  scope: LoopScope,
): HostedRound | undefined {
  const { hosted: use } = agent;
  if (use === undefined || reply.calls.every(({ hosted }) => hosted === undefined)) return undefined;
  return new HostedRound({
    turn: scope.turn,
    reply,
    said,
    use,
    path: replyKey(scope.path, number),
    ask: (answered, isApproved) =>
      askModel(agent, [...before, ...answered], { ...roundScope(agent, number + 1, scope), isApproved }),
  });
}
