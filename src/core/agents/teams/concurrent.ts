import { joined } from '../../base/joined.ts';
import { joinInfluences, influencedMember } from '../../provenance/influences.ts';
import { type MemberReply, spokenBy } from '../member-reply.ts';
import type { Mode } from './team-work.ts';

const joinTask =
  'The members of your team have answered the last request side by side; their answers stand above. Write one answer to the user from them. Keep every fact and every difference that matters, and say nothing that no member has said.';

/** All members answer at the same time. Their replies are shown in the order of the members, whoever ends first. */
export const concurrent: Mode = async (given, work) => {
  const { members, options } = work;
  const replies = await joined(members.map((member, round) => work.ask(member, given, { round, isSilent: true })));
  const named = members.flatMap((member, index) => {
    const reply = replies[index];
    return reply === undefined ? [] : [{ member, reply }];
  });
  const answered = named.filter(({ reply }) => reply.status === 'succeeded');
  if (answered.length === 0) return work.answer(all(named));
  if (options.aggregator === 'model' && !work.isSpent) {
    const said = answered.map(({ member, reply }) => spokenBy(member, reply));
    return work.answer(await work.write([...given, ...said], { task: joinTask, at: 'joined' }));
  }
  const shown = options.aggregator === 'last' ? answered.slice(-1) : answered;
  for (const { member, reply } of shown) await work.say(member, reply, `joined/${member}`);
  return work.answer(options.aggregator === 'last' ? (shown[0]?.reply ?? all(named)) : all(named));
};

/** All replies as one, each under the name of its member. */
function all(named: readonly { readonly member: string; readonly reply: MemberReply }[]): MemberReply {
  const influences = joinInfluences(...named.map(({ reply }) => reply.influencedBy ?? []));
  return {
    status: named.some(({ reply }) => reply.status === 'succeeded') ? 'succeeded' : 'failed',
    text: named.map(({ member, reply }) => `${member}: ${reply.text}`).join('\n\n'),
    ...influencedMember(influences),
  };
}
