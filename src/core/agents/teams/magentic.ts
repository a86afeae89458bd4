import type { ChatMessage } from '../../ports/chat-model.ts';
import { requestMark } from '../../prompt/request-mark.ts';
import { spokenBy } from '../member-reply.ts';
import type { Mode, TeamWork } from './team-work.ts';

const answerTask =
  'Write the answer to the user from what the members have said. Say plainly what could not be done, and say nothing that no member has said.';

/**
 * A manager plans the work, asks one member after the other, and plans anew when the work stalls. What members have said stays when the
 * plan is new. The manager writes the answer.
 */
export const magentic: Mode = async (given, work) => {
  const { maxRounds, maxResets, maxStalls, manager: leader } = work.options;
  let said: readonly ChatMessage[] = [];
  let round = 0;
  let isDone = false;
  for (let reset = 0; reset <= maxResets && !isDone && mayGoOn(); reset += 1) {
    const plan = await work.write([...given, ...said], {
      leader,
      task: planTask(work, reset),
      at: `plan/${String(reset)}`,
      isSilent: true,
    });
    const planned = spokenBy('Plan', plan);
    for (let stalls = 0; stalls < maxStalls && mayGoOn(); round += 1) {
      const ledger = [...given, planned, ...said];
      const state = await work.decide(ledger, { leader, task: progressTask(work), at: `progress/${String(round)}` });
      isDone = state['done'] === true;
      if (isDone) break;
      const next = work.members.find((member) => member === state['next']);
      stalls = next === undefined || state['progress'] === false ? stalls + 1 : 0;
      if (next === undefined) continue;
      const reply = await work.ask(next, [...ledger, taskFor(state['task'])], { round, isSilent: true });
      said = [...said, spokenBy(next, reply)];
    }
  }
  return work.answer(await work.write([...given, ...said], { leader, task: answerTask, at: 'answer' }));

  function mayGoOn(): boolean {
    return round < maxRounds && !work.isSpent;
  }
};

function planTask(work: TeamWork, reset: number): string {
  const begin = reset === 0 ? 'Plan' : 'The work has stalled. Say in one sentence why, and plan anew';
  return `${begin}, in a short list, how your team answers the last request, and who does what. The members:\n${work.memberList}`;
}

function progressTask(work: TeamWork): string {
  return `Look at the request, the plan and what was said. Answer with one JSON object: {"done": whether the request is answered, "progress": whether the last step brought the work forward, "next": the NAME of the member who works next, "task": what that member is to do}. The members:\n${work.memberList}`;
}

function taskFor(task: unknown): ChatMessage {
  const text = typeof task === 'string' && task.trim() !== '' ? task : 'Do your part of the plan.';
  return { role: 'user', text: `${requestMark}${text}`, origin: 'model' };
}
