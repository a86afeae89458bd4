import type { ChatMessage } from '../../ports/chat-model.ts';
import type { TeamDefinition, TeamMode } from '../agent-definition.ts';
import type { MemberReply } from '../member-reply.ts';
import type { MemberScope } from '../staff.ts';
import { concurrent } from './concurrent.ts';
import { groupChat } from './group-chat.ts';
import { handoff } from './handoff.ts';
import { magentic } from './magentic.ts';
import { sequential } from './sequential.ts';
import { type Mode, type Team, TeamWork } from './team-work.ts';

const modes: Readonly<Record<TeamMode, Mode>> = { sequential, concurrent, groupChat, handoff, magentic };

/** What decides the course of a team. A team that goes on after a restart keeps it. Recorded as JSON. */
type BegunTeam = Pick<TeamDefinition, 'mode' | 'members' | 'options'>;

/**
 * Lets a team answer (contract/agents.md#teams). How the team works is recorded when it begins. What a member is and may do is as it is
 * when the member is asked.
 */
export async function runTeam(
  { definition, model }: Team,
  given: readonly ChatMessage[],
  scope: MemberScope,
): Promise<MemberReply> {
  const { turn, path } = scope;
  const { mode, members, options } = definition;
  const begun = turn.record.now(`${path}/team`, () => asJson({ mode, members, options }));
  return modes[begun.mode](given, new TeamWork({ definition: { ...definition, ...begun }, model }, scope));
}

/** The same value without members that are undefined, which no record can hold. */
function asJson(begun: BegunTeam): BegunTeam {
  return JSON.parse(JSON.stringify(begun)) as BegunTeam; // a team holds only texts, numbers, lists and what is true or false
}
