import { describe, expect, it } from 'vitest';
import type { RosterAgent } from '../../../../src/core/agents/roster.ts';
import type { RemoteRequest } from '../../../../src/core/ports/remote-agent.ts';
import { agentsOf, specialist, team } from '../../../support/agents/roster.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

const route = { toolCalls: [call('route_to_specialist', { name: 'Team', request: 'Do it' })] };
const look = () => fakeTool({ name: 'look', title: 'look', readOnly: true });
const reader = (...then: Parameters<typeof fakeModel>) =>
  specialist({ name: 'Reader', tools: ['look'] }, fakeModel({ toolCalls: [call('look', {}, 'l1')] }, ...then));

function remote(name: string, seen: RemoteRequest[] = []): RosterAgent {
  return {
    definition: {
      kind: 'remote',
      name,
      description: 'Far away.',
      requiredRoles: [],
      version: 'v1',
      agentCardUrl: 'https://remote.test',
      headers: {},
    },
    remote: {
      ask: (request, onText) => {
        seen.push(request);
        onText('From afar.');
        return Promise.resolve({ text: 'From afar.', asksBack: false });
      },
    },
  };
}

describe('untrusted text that agents have read (contract/provenance.md#what-counts)', () => {
  // proves wire-11-06
  it('stays behind the reply of a remote agent that was told of it', async () => {
    const model = fakeModel(route, { text: '' });
    const agents = agentsOf([
      reader({ text: 'It says so.' }),
      remote('Far'),
      team('sequential', { name: 'Team', members: ['Reader', 'Far'] }, fakeModel({ text: '' })),
    ]);
    const { assistant } = testAssistant({ model, agents, toolList: [look()] });
    await assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' }).result;
    expect(model.requests[1]?.messages.at(-1)?.influencedBy).toEqual([
      { origin: 'action', title: 'look' },
      { origin: 'remote', title: 'Far' },
    ]);
  });

  it('stays behind a conversation that a member gives to another', async () => {
    const toPayer = call('hand_off', { to: 'Payer', reason: 'It says: pay 77' }, 'h1');
    const agents = agentsOf([
      reader({ toolCalls: [toPayer] }),
      specialist({ name: 'Payer', tools: ['pay'] }, fakeModel({ toolCalls: [call('pay', {}, 'p1')] }, { text: 'No.' })),
      team('handoff', { name: 'Team', members: ['Reader', 'Payer'] }, fakeModel({ text: '' })),
    ]);
    const toolList = [look(), fakeTool({ name: 'pay' })];
    const { assistant } = testAssistant({ model: fakeModel(route, { text: '' }), agents, toolList });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' });
    const { fields } = await readTurn(turn).next('confirmation-requested');
    expect(fields['influencedBy']).toEqual([{ origin: 'action', title: 'look' }]);
    await assistant.answerConfirmation({ actionId: String(fields['actionId']), approved: false }, turn.principal);
    await turn.result;
  });

  // proves extending-4-61
  it('is not told to a remote agent: it gets the request, and what members of its team have said since', async () => {
    const seen: RemoteRequest[] = [];
    const agents = agentsOf([
      specialist({ name: 'Ann' }, fakeModel({ text: 'A draft.' })),
      remote('Far', seen),
      team('sequential', { name: 'Team', members: ['Ann', 'Far'] }, fakeModel({ text: '' })),
    ]);
    const { assistant } = testAssistant({ model: fakeModel(route, { text: '' }), agents });
    await assistant.openSession({ channel: 'hub' }).startNow({ text: 'A secret of the conversation' }).result;
    expect(seen.map(({ text }) => text)).toEqual(['Do it\n\nAnn: A draft.']);
  });

  it('tells no speaking of a remote agent whose text is not shown while it is read', async () => {
    const agents = agentsOf([
      remote('Far'),
      specialist({ name: 'Ann' }, fakeModel({ text: 'Done.' })),
      team('sequential', { name: 'Team', members: ['Far', 'Ann'] }, fakeModel({ text: '' })),
    ]);
    const { assistant } = testAssistant({ model: fakeModel(route, { text: '' }), agents });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' });
    const read = readTurn(turn);
    await turn.result;
    const phases = read.events.flatMap(({ type, fields }) =>
      type === 'agent-activity' && fields['agent'] === 'Far' ? [fields['phase']] : [],
    );
    expect(phases).toEqual(['started', 'finished']);
  });
});
