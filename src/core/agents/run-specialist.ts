import type { ChatMessage, ChatModel } from '../ports/chat-model.ts';
import { influencedMember, influencesOf, joinInfluences } from '../provenance/influences.ts';
import type { SpecialistDefinition } from './agent-definition.ts';
import { handedOff } from './hand-off.ts';
import { handingOver } from './handing-over.ts';
import { joinStanding, type MemberReply } from './member-reply.ts';
import { replyKey } from './recorded-reply.ts';
import { runAgent } from './run-agent.ts';
import { specialistAgent } from './specialist.ts';
import type { MemberScope } from './staff.ts';

/** Lets a specialist answer. @throws what `runAgent` throws. */
export async function runSpecialist(
  specialist: { readonly definition: SpecialistDefinition; readonly model: ChatModel },
  given: readonly ChatMessage[],
  scope: MemberScope,
): Promise<MemberReply> {
  const { turn, path, isSilent } = scope;
  const agent = specialistAgent(specialist, scope);
  const { reply, round, messages } = await runAgent(agent, given, { ...scope, handingOver: handingOver(scope) });
  const handsOff = handedOff(turn.record, replyKey(path, round), reply);
  const influences = joinInfluences(influencesOf(messages), reply.influencedBy ?? []);
  return {
    status: 'succeeded',
    text: reply.text,
    ...influencedMember(influences),
    ...(isSilent ? { isUnsaid: true as const } : {}),
    ...(handsOff === undefined ? {} : { handsOff }),
    ...standingMember(messages),
  };
}

/** What the calls of the specialist have left for later turns. */
function standingMember(messages: readonly ChatMessage[]): Pick<MemberReply, 'standing'> {
  const standings = messages.map((message) => (message.role === 'tool' ? message.standing : undefined));
  const all = standings.reduce(joinStanding, undefined);
  return all === undefined ? {} : { standing: all };
}
