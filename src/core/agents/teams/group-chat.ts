import type { ChatMessage } from '../../ports/chat-model.ts';
import { type MemberReply, spokenBy } from '../member-reply.ts';
import { allOf } from './all-of.ts';
import type { Mode, TeamWork } from './team-work.ts';

/** Members speak one after the other, and each reads what the others have said. A manager may choose who speaks next, or end the talk. */
export const groupChat: Mode = async (given, work) => {
  let talk = given;
  const said: { readonly member: string; readonly reply: MemberReply }[] = [];
  for (let round = 0; round < work.options.maxRounds && !(round > 0 && work.isSpent); round += 1) {
    const next = await nextSpeaker(talk, work, round);
    if (next === undefined) break;
    const reply = await work.ask(next, talk, { round });
    said.push({ member: next, reply });
    talk = [...talk, spokenBy(next, reply)];
  }
  const [only] = said;
  return work.answer(said.length === 1 && only !== undefined ? only.reply : allOf(said));
};

async function nextSpeaker(talk: readonly ChatMessage[], work: TeamWork, round: number): Promise<string | undefined> {
  const { members, options } = work;
  const turn = members[round % members.length];
  if (options.manager === 'roundRobin') return turn;
  const list = work.memberList;
  const task = `Decide who speaks next to answer the last request.\n${list}\nAnswer with one JSON object: {"next": NAME}, or {"next": null} once the request is answered.`;
  const { next } = await work.decide(talk, { leader: options.manager, task, at: `next/${String(round)}` });
  // Without a first speaker nobody would have answered.
  if (next === null && round > 0) return undefined;
  return members.find((member) => member === next) ?? turn;
}
