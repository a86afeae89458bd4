import { type MemberReply, spokenBy } from '../member-reply.ts';
import type { HandOffTarget } from '../staff.ts';
import type { Mode, TeamWork } from './team-work.ts';

/** One member answers, or gives the conversation to another member that answers in its place. */
export const handoff: Mode = async (given, work) => {
  const { options } = work;
  let talk = given;
  // Members leave questions and answers behind while they work, so who begins is recorded before.
  let holder = work.fixed('begins', () => whoBegins(work));
  let last: MemberReply = { status: 'failed', text: '' };
  for (let round = 0; round < options.maxRounds; round += 1) {
    // In the last round the member must answer itself.
    const isLast = round === options.maxRounds - 1 || (round > 0 && work.isSpent);
    last = await work.ask(holder, talk, { round, mayHandOffTo: isLast ? [] : targetsOf(holder, work) });
    const { handsOff } = last;
    if (handsOff === undefined) break;
    const text = [last.text, handsOff.reason].filter((said) => said !== '').join('\n');
    talk = [...talk, spokenBy(holder, { ...last, text })];
    holder = handsOff.to;
  }
  const hasAnswered = last.status === 'succeeded';
  return work.answer(last, options.returnToPrevious && hasAnswered ? holder : undefined);
};

function whoBegins(work: TeamWork): string {
  const { members, options } = work;
  // The answer to an open question belongs to the member that has asked.
  const returned = work.askingMember ?? (options.returnToPrevious ? work.lastHolder : undefined);
  return members.find((member) => member === returned && work.mayReach(member)) ?? options.start;
}

/** The members to whom a member may give the conversation. An agent that the user may not reach is hidden from the model too. */
function targetsOf(holder: string, work: TeamWork): readonly HandOffTarget[] {
  const { members, options } = work;
  const ways = options.handoffs.filter(({ from }) => from === holder);
  return members
    .filter(
      (member) =>
        member !== holder &&
        work.mayReach(member) &&
        (options.handoffs.length === 0 || ways.some(({ to }) => to === member)),
    )
    .map((name) => ({
      name,
      description: work.descriptionOf(name),
      reason: ways.find(({ to }) => to === name)?.reason,
    }));
}
