import type { CallServices } from '../calls/call-scope.ts';
import type { OfferedSkills } from '../skills/offered-skills.ts';
import type { ChatMessage } from '../ports/chat-model.ts';
import type { Toolbox } from '../tools/toolbox.ts';
import type { AgentScope } from './ask-model.ts';
import type { MemberReply } from './member-reply.ts';
import type { Roster } from './roster.ts';

/** The agents of a turn beside the coordinator, and what they are given of the turn. */
export interface Staff {
  readonly roster: Roster;
  /** The tools of the server for this user. Each specialist has those that its definition names. */
  readonly toolbox: Toolbox;
  readonly skills: OfferedSkills;
  /** What every specialist is told after its own instructions. */
  readonly rules: string;
  readonly maxRounds: number;
  /** Whether a reply may say why an agent has failed (`includeWorkflowExceptionDetails`). */
  readonly showsFaults: boolean;
}

/** Runs one agent in a turn (`run-member.ts`). */
export type RunMember = (name: string, messages: readonly ChatMessage[], scope: MemberScope) => Promise<MemberReply>;

/** How far below the coordinator an agent may be (contract/agents.md#handing-over). */
export const deepestAgent = 3;

/** Where in a turn an agent runs to whom something was handed over. */
export interface MemberScope extends AgentScope {
  readonly services: CallServices;
  readonly staff: Staff;
  /** Runs the agents to whom this one hands over. */
  readonly runMember: RunMember;
  /** 1 for an agent to whom the coordinator has handed over. */
  readonly depth: number;
  /** The text of the agent is not shown while it is read. Whoever waits for the agent shows it. */
  readonly isSilent: boolean;
  /** The round of the team in which the agent is asked. */
  readonly round?: number | undefined;
  /** The members of the team to whom the agent may hand over in place of an answer. Left out: nobody. */
  readonly mayHandOffTo?: readonly HandOffTarget[] | undefined;
}

/** A member of a team to whom another member may hand over. */
export interface HandOffTarget {
  readonly name: string;
  readonly description: string;
  readonly reason?: string | undefined;
}
