import { describe, expect, it } from 'vitest';
import { agentsOf, specialist, team } from '../../../support/agents/roster.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

const route = { toolCalls: [call('route_to_specialist', { name: 'Team', request: 'Do it' })] };

describe('an agent in a team that the user may not reach (contract/agents.md#handing-over, requiredRoles)', () => {
  it.each(['groupChat', 'magentic'] as const)('leads no team of mode %s: the model of the team does', async (mode) => {
    const chair = fakeModel({ text: '{"next": null, "done": true}' });
    const lead = fakeModel({ text: '{"next": null, "done": true}' });
    const agents = agentsOf([
      specialist({ name: 'Ann' }, fakeModel({ text: 'One.' })),
      specialist({ name: 'Chair', requiredRoles: ['board'] }, chair),
      team(mode, { name: 'Team', members: ['Ann'], options: { manager: 'Chair', maxRounds: 2 } }, lead),
    ]);
    const { assistant } = testAssistant({ model: fakeModel(route, { text: '' }), agents });
    await assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' }).result;
    expect(chair.requests).toEqual([]);
    expect(lead.requests[0]?.instructions).not.toContain('Chair');
    expect(lead.requests.length).toBeGreaterThan(0);
  });

  it('is not offered by hand_off', async () => {
    const ann = fakeModel({ text: 'I am Ann.' });
    const agents = agentsOf([
      specialist({ name: 'Ann' }, ann),
      specialist({ name: 'Bob' }, fakeModel({ text: 'I am Bob.' })),
      specialist({ name: 'Chair', requiredRoles: ['board'] }, fakeModel({ text: 'I am the chair.' })),
      team('handoff', { name: 'Team', members: ['Ann', 'Bob', 'Chair'] }, fakeModel({ text: '' })),
    ]);
    const { assistant } = testAssistant({ model: fakeModel(route, { text: '' }), agents });
    await assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' }).result;
    expect(JSON.stringify(ann.requests[0]?.tools)).toContain('Bob');
    expect(JSON.stringify(ann.requests[0]?.tools)).not.toContain('Chair');
  });

  // proves extending-4-63
  it.each(['sequential', 'concurrent', 'groupChat'] as const)(
    'is not asked in mode %s, and no activity tells the user of it',
    async (mode) => {
      const chair = fakeModel({ text: 'I am the chair.' });
      const agents = agentsOf([
        specialist({ name: 'Chair', requiredRoles: ['board'] }, chair),
        specialist({ name: 'Ann' }, fakeModel({ text: 'I am Ann.' })),
        team(mode, { name: 'Team', members: ['Chair', 'Ann'], options: { maxRounds: 2 } }, fakeModel({ text: '' })),
      ]);
      const { assistant } = testAssistant({ model: fakeModel(route, { text: '' }), agents });
      const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' });
      const reader = readTurn(turn);
      expect((await turn.result).text).toBe('I am Ann.');
      expect(chair.requests).toEqual([]);
      expect(JSON.stringify(reader.events)).toContain('Ann');
      expect(JSON.stringify(reader.events)).not.toContain('Chair');
    },
  );
});
