import { joined } from '../../base/joined.ts';
import { spokenBy } from '../member-reply.ts';
import { allOf } from './all-of.ts';
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
  if (answered.length === 0) return work.answer(allOf(named));
  if (options.aggregator === 'model' && !work.isSpent) {
    const said = answered.map(({ member, reply }) => spokenBy(member, reply));
    return work.answer(await work.write([...given, ...said], { task: joinTask, at: 'joined' }));
  }
  const shown = options.aggregator === 'last' ? answered.slice(-1) : answered;
  for (const { member, reply } of shown) await work.say(member, reply, `joined/${member}`);
  return work.answer(options.aggregator === 'last' ? (shown[0]?.reply ?? allOf(named)) : allOf(named));
};
