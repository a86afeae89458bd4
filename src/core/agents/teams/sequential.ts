import { type MemberReply, spokenBy } from '../member-reply.ts';
import type { Mode } from './team-work.ts';

/** Each member works on what the members before it have said. The user is shown the last reply. */
export const sequential: Mode = async (given, work) => {
  const { members, options } = work;
  let talk = given;
  let last: MemberReply = { status: 'failed', text: '' };
  for (const [round, member] of members.entries()) {
    const isLast = round === members.length - 1 || round === options.maxRounds - 1;
    last = await work.ask(member, talk, { round, isSilent: !isLast });
    if (isLast || work.isSpent) {
      await work.say(member, last, String(round));
      break;
    }
    const reply = spokenBy(member, last);
    talk = options.chainOnlyAgentResponses ? [reply] : [...talk, reply];
  }
  return work.answer(last);
};
