import type { ChatMessage, ChatModel } from '../../ports/chat-model.ts';
import type { TeamDefinition } from '../agent-definition.ts';
import type { MemberReply } from '../member-reply.ts';
import type { MemberScope } from '../staff.ts';

/** A team, with the model that writes what no member writes. */
export interface Team {
  readonly definition: TeamDefinition;
  readonly model: ChatModel;
}

/** Runs one agent in the turn. */
export type RunMember = (name: string, messages: readonly ChatMessage[], scope: MemberScope) => Promise<MemberReply>;

/** Where in a turn a team works. */
export interface TeamScope {
  readonly scope: MemberScope;
  readonly runMember: RunMember;
}
