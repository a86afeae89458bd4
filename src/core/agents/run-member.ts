import type { TurnEvent } from '../events/turn-event.ts';
import { mayRead, readerOf } from '../identity/may-read.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import { influenceOf, influencedMember } from '../provenance/influences.ts';
import { RecordGap } from './ask-model.ts';
import { askRemote } from './ask-remote.ts';
import type { MemberReply } from './member-reply.ts';
import type { RosterAgent } from './roster.ts';
import { runSpecialist } from './run-specialist.ts';
import { deepestAgent, type MemberScope } from './staff.ts';
import { runTeam } from './teams/run-team.ts';

/**
 * Runs an agent to whom something was handed over, in this turn (contract/agents.md#handing-over). A fault of the agent is what came of
 * it, and the turn goes on.
 * @throws TurnStopped after a Stop; RecordGap where the record lacks a reply.
 */
export async function runMember(
  name: string,
  messages: readonly ChatMessage[],
  scope: MemberScope,
): Promise<MemberReply> {
  const { turn, path, staff, round } = scope;
  const agent = staff.roster.find(name);
  const kind = agent?.definition.kind ?? 'specialist';
  const activity = (phase: Activity['phase']): Activity => ({
    type: 'agent-activity',
    agent: name,
    kind,
    phase,
    ...(round === undefined ? {} : { round }),
  });
  // After a Stop nobody begins. An agent that had begun is entered again, because the journal may have rows of its calls.
  if (!turn.record.hasBelow(`${path}/`)) turn.requireRunning();
  // What is hidden from the user does not show by its activity either.
  const isShown = agent === undefined || isReachable(agent, scope);
  if (isShown) turn.events.once(`${path}/started`, activity('started'));
  const onSpeaking = (): void => {
    turn.events.once(`${path}/speaking`, activity('speaking'));
  };
  const reply = await turn.record.step(
    `${path}/said`,
    () => answer({ name, agent }, messages, { ...scope, onSpeaking }),
    {
      kind: 'agent',
      agent: name,
      of: kind,
    },
  );
  // An agent that has worked in an earlier process may be hidden by now, and its activity still ends.
  if (isShown || turn.record.has(`${path}/agent`))
    turn.events.once(`${path}/ended`, activity(reply.status === 'succeeded' ? 'finished' : 'failed'));
  return reply;
}

function isReachable({ definition }: RosterAgent, { turn }: Pick<MemberScope, 'turn'>): boolean {
  return mayRead(definition, readerOf(turn.request.caller.principal));
}

type Activity = Extract<TurnEvent, { readonly type: 'agent-activity' }>;

async function answer(
  { name, agent }: { readonly name: string; readonly agent: RosterAgent | undefined },
  messages: readonly ChatMessage[],
  scope: MemberScope,
): Promise<MemberReply> {
  const { turn, path, depth } = scope;
  if (agent === undefined) return unanswered('failed', `${name} is not available any more.`);
  if (!isReachable(agent, scope)) {
    const roles = agent.definition.requiredRoles.join(' / ');
    return unanswered('refused', `${name} may be reached only with the role ${roles}, which the user does not have.`);
  }
  if (depth > deepestAgent) {
    return unanswered('failed', `${name} was not asked: agents may hand over at most ${String(deepestAgent)} times.`);
  }
  turn.record.put(`${path}/agent`, { name, version: agent.definition.version });
  try {
    return await run(agent, messages, scope);
  } catch (fault) {
    return unansweredAfter(fault, name, scope);
  }
}

function run(agent: RosterAgent, messages: readonly ChatMessage[], scope: MemberScope): Promise<MemberReply> {
  if ('remote' in agent) return askRemote(agent, messages, scope);
  const { definition, model } = agent;
  if (definition.kind === 'team') return runTeam({ definition, model }, messages, scope);
  return runSpecialist({ definition, model }, messages, scope);
}

/** What is said of an agent that failed. The half of a reply that was shown is taken back. */
function unansweredAfter(fault: unknown, name: string, scope: MemberScope): MemberReply {
  const { turn, path, gate, services, staff } = scope;
  const endsTurn = !turn.mayBegin || turn.signal.aborted || gate?.signal.aborted === true || fault instanceof RecordGap;
  if (endsTurn) throw fault;
  services.log.warn({ turnId: turn.id, agent: name, error: fault }, 'an agent could not answer');
  turn.events.takeBackReply(path, `${path}/cut`);
  const why = fault instanceof Error ? fault.message : String(fault);
  const reply = unanswered('failed', `${name} could not answer.${staff.showsFaults ? ` The fault: ${why}` : ''}`);
  // The words of a fault may come from the model or from another server.
  return staff.showsFaults ? { ...reply, ...influencedMember(influenceOf('remote', name)) } : reply;
}

function unanswered(status: MemberReply['status'], text: string): MemberReply {
  return { status, text, isUnsaid: true };
}
