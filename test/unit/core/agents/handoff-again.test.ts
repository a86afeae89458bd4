import { describe, expect, it } from 'vitest';
import type { TeamDefinition } from '../../../../src/core/agents/agent-definition.ts';
import type { MemberReply } from '../../../../src/core/agents/member-reply.ts';
import type { MemberScope } from '../../../../src/core/agents/staff.ts';
import { runTeam } from '../../../../src/core/agents/teams/run-team.ts';
import { StepRecord } from '../../../../src/core/record/step-record.ts';
import { agentsOf, specialist, team } from '../../../support/agents/roster.ts';
import { fakeModel } from '../../../support/fake-model.ts';

const model = fakeModel({ text: '' });
const members = ['Front', 'Far'];
const agents = agentsOf([
  ...members.map((name) => specialist({ name }, model)),
  team('handoff', { name: 'Desk', members }, model),
]);

/** What each member says: the first gives the conversation to the second, which asks the user something. */
const replies: Readonly<Record<string, MemberReply>> = {
  Front: { status: 'succeeded', text: '', handsOff: { to: 'Far', reason: 'Far knows it' } },
  Far: {
    status: 'succeeded',
    text: 'Which hall?',
    asksBack: true,
    standing: { threads: { Far: { contextId: 'c', taskId: 't' } } },
  },
};

/** Plays the team over what a record holds. Returns who was asked, in order. */
async function playOver(record: StepRecord): Promise<readonly string[]> {
  const asked: string[] = [];
  const found = agents.roster.find('Desk');
  const scope = {
    turn: { record, options: { history: [] }, request: { caller: { principal: { roles: [] } } } },
    staff: { roster: agents.roster },
    path: 'coordinator/0/call/1/Desk',
    depth: 1,
    isSilent: false,
    runMember: (name: string, _messages: unknown, { path }: MemberScope) => {
      asked.push(path.slice('coordinator/0/call/1/Desk/'.length));
      return record.step(`${path}/said`, () => Promise.resolve(replies[name] ?? { status: 'failed', text: '' }));
    },
  } as unknown as MemberScope; // only what a team without a leader reads
  const definition = found?.definition as TeamDefinition; // it was made as a team above
  await runTeam({ definition, model }, [], scope);
  return asked;
}

describe('a team of mode handoff that a crash has interrupted (contract/agents.md#confirmations)', () => {
  it('begins with the same member again, though another one has asked the user something meanwhile', async () => {
    const record = new StepRecord();
    expect(await playOver(record)).toEqual(['0/Front', '1/Far']);
    expect(await playOver(new StepRecord(record.entries()))).toEqual(['0/Front', '1/Far']);
  });
});
