import { describe, expect, it } from 'vitest';
import type { TeamMode } from '../../../../src/core/agents/agent-definition.ts';
import type { RosterAgent } from '../../../../src/core/agents/roster.ts';
import type { RemoteReply, RemoteRequest } from '../../../../src/core/ports/remote-agent.ts';
import { remoteAgent } from '../../../support/agents/remote-agent.ts';
import { agentsOf, specialist, team } from '../../../support/agents/roster.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

const to = (name: string, request = 'Do it', id = `to_${name}`) => call('route_to_specialist', { name, request }, id);

const question: RemoteReply = {
  text: 'Which hall?',
  asksBack: true,
  thread: { contextId: 'c1', taskId: 't1' },
};
const answer: RemoteReply = { text: 'There are 7.', asksBack: false, thread: { contextId: 'c1' } };

/** A remote agent that gives these replies, one after the other. */
function replying(name: string, ...replies: readonly RemoteReply[]): { agent: RosterAgent; seen: RemoteRequest[] } {
  const seen: RemoteRequest[] = [];
  const agent = remoteAgent(name, (request, onText) => {
    const reply = replies[seen.length] ?? answer;
    seen.push(request);
    onText(reply.text);
    return Promise.resolve(reply);
  });
  return { agent, seen };
}

describe('a remote agent that asks the user back (contract/agents.md#remote-agents)', () => {
  // proves service-2.18-31
  it('has the coordinator told that it waits for the user, and gets the answer in the same task', async () => {
    const far = replying('Far', question);
    const model = fakeModel(
      { toolCalls: [to('Far')] },
      { text: '' },
      { toolCalls: [to('Far', 'Hall B')] },
      { text: '' },
    );
    const { assistant } = testAssistant({ model, agents: agentsOf([far.agent]) });
    const session = assistant.openSession({ channel: 'hub' });
    expect((await session.startNow({ text: 'Bolts?' }).result).text).toBe('Which hall?');
    const told = model.requests[1]?.messages.at(-1)?.text ?? '';
    expect(told).toContain('[succeeded] Far asks the user:\nWhich hall?');
    expect(told).toContain('[Far waits for the answer of the user.');
    expect(told).toContain('hand that message over to Far with route_to_specialist');
    await session.startNow({ text: 'Hall B' }).result;
    expect(model.requests[2]?.messages.some(({ text }) => text.includes('[Far waits'))).toBe(true);
    expect(far.seen.map(({ thread }) => thread)).toEqual([undefined, question.thread]);
    const last = model.requests[3]?.messages.at(-1)?.text ?? '';
    expect(last).toContain('Far has answered:\nThere are 7.');
    expect(last).not.toContain('waits for the answer');
  });

  // proves service-2.18-31
  it('loses nothing over a snapshot', async () => {
    const far = replying('Far', question);
    const model = fakeModel(
      { toolCalls: [to('Far')] },
      { text: '' },
      { toolCalls: [to('Far', 'Hall B')] },
      { text: '' },
    );
    const { assistant, snapshots } = testAssistant({ model, agents: agentsOf([far.agent]) });
    const session = assistant.openSession({ channel: 'hub' });
    await session.startNow({ text: 'Bolts?' }).result;
    const restored = assistant.openSession({ channel: 'hub' });
    await snapshots.restore(restored, await snapshots.save(session));
    await restored.startNow({ text: 'Hall B' }).result;
    expect(model.requests[2]?.messages.some(({ text }) => text.includes('[Far waits'))).toBe(true);
    expect(far.seen.at(-1)?.thread).toEqual(question.thread);
  });

  // proves service-2.18-31
  it.each<TeamMode>(['sequential', 'concurrent', 'groupChat', 'handoff'])(
    'is answered by way of its team of mode %s',
    async (mode) => {
      const far = replying('Far', question);
      const clerk = fakeModel({ text: 'Noted.' }, { text: 'Noted again.' });
      const model = fakeModel(
        { toolCalls: [to('Team')] },
        { text: '' },
        { toolCalls: [to('Team', 'Hall B')] },
        { text: '' },
      );
      const agents = agentsOf([
        specialist({ name: 'Clerk' }, clerk),
        far.agent,
        team(
          mode,
          {
            name: 'Team',
            members: ['Clerk', 'Far'],
            options: { maxRounds: 2, start: mode === 'handoff' ? 'Far' : 'Clerk' },
          },
          fakeModel({ text: '' }),
        ),
      ]);
      const { assistant } = testAssistant({ model, agents });
      const session = assistant.openSession({ channel: 'hub' });
      await session.startNow({ text: 'Bolts?' }).result;
      const told = model.requests[1]?.messages.at(-1)?.text ?? '';
      expect(told).toContain('[Far waits for the answer of the user.');
      expect(told).toContain('hand that message over to Team with route_to_specialist');
      await session.startNow({ text: 'Hall B' }).result;
      expect(far.seen.map(({ thread }) => thread)).toEqual([undefined, question.thread]);
      expect(model.requests[3]?.messages.at(-1)?.text).not.toContain('waits for the answer');
    },
  );

  // proves service-2.18-31
  it('that the user has not read in its team is asked by the coordinator', async () => {
    const far = replying('Far', question);
    const clerk = fakeModel({ text: 'Noted.' }, { text: 'Noted again.' });
    const model = fakeModel(
      { toolCalls: [to('Team')] },
      { text: 'Which hall?' },
      { toolCalls: [to('Team', 'Hall B')] },
      { text: '' },
    );
    const agents = agentsOf([
      specialist({ name: 'Clerk' }, clerk),
      far.agent,
      team('sequential', { name: 'Team', members: ['Far', 'Clerk'] }, fakeModel({ text: '' })),
    ]);
    const { assistant } = testAssistant({ model, agents });
    const session = assistant.openSession({ channel: 'hub' });
    await session.startNow({ text: 'Bolts?' }).result;
    const told = model.requests[1]?.messages.at(-1)?.text ?? '';
    expect(told).toContain(
      '[The user has not read what Far asks. Ask the user this, as a question of Far:\nWhich hall?',
    );
    await session.startNow({ text: 'Hall B' }).result;
    expect(far.seen.map(({ thread }) => thread)).toEqual([undefined, question.thread]);
    expect(model.requests[3]?.messages.at(-1)?.text).not.toContain('has not read');
  });

  // proves service-2.18-31
  it('gets the answer itself in a team of mode handoff, although another member begins', async () => {
    const far = replying('Far', question);
    const clerk = fakeModel({ toolCalls: [call('hand_off', { to: 'Far', reason: 'stock' }, 'h1')] });
    const model = fakeModel(
      { toolCalls: [to('Team')] },
      { text: '' },
      { toolCalls: [to('Team', 'Hall B')] },
      { text: '' },
    );
    const agents = agentsOf([
      specialist({ name: 'Clerk' }, clerk),
      far.agent,
      team('handoff', { name: 'Team', members: ['Clerk', 'Far'] }, fakeModel({ text: '' })),
    ]);
    const { assistant } = testAssistant({ model, agents });
    const session = assistant.openSession({ channel: 'hub' });
    await session.startNow({ text: 'Bolts?' }).result;
    await session.startNow({ text: 'Hall B' }).result;
    expect(clerk.requests).toHaveLength(1);
    expect(far.seen.map(({ thread }) => thread)).toEqual([undefined, question.thread]);
  });
});

describe('what members that work side by side leave for later turns (contract/agents.md#teams)', () => {
  // proves extending-4-86
  it('counts in their order in the team, whoever ends first', async () => {
    const slow = Promise.withResolvers<undefined>();
    const seen: RemoteRequest[] = [];
    const far = remoteAgent('Far', async (request, onText) => {
      seen.push(request);
      if (request.text === 'for A') await slow.promise;
      if (request.text === 'for B') setImmediate(() => slow.resolve(undefined));
      onText('Yes.');
      return { text: 'Yes.', asksBack: false, thread: { contextId: request.text } };
    });
    const member = (name: string): RosterAgent =>
      specialist(
        { name, tools: ['route_to_specialist'] },
        fakeModel({ toolCalls: [to('Far', `for ${name}`, `${name}1`)] }, { text: `${name} is done.` }),
      );
    const model = fakeModel(
      { toolCalls: [to('Team')] },
      { text: '' },
      { toolCalls: [to('Far', 'And now?')] },
      { text: '' },
    );
    const agents = agentsOf([
      member('A'),
      member('B'),
      far,
      team('concurrent', { name: 'Team', members: ['A', 'B'] }, fakeModel({ text: '' })),
    ]);
    const { assistant } = testAssistant({ model, agents });
    const session = assistant.openSession({ channel: 'hub' });
    await session.startNow({ text: 'Go' }).result;
    await session.startNow({ text: 'And now?' }).result;
    expect(seen.at(-1)).toMatchObject({ text: 'And now?', thread: { contextId: 'for B' } });
  });
});

describe('a Stop while a remote agent speaks (contract/agents.md#who-speaks)', () => {
  const until = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });

  // proves extending-4-74
  it('keeps the half that it has said, under its name', async () => {
    const far = remoteAgent('Far', (request, onText) => {
      onText('There "are"');
      return until(request.signal);
    });
    const { assistant, snapshots } = testAssistant({
      model: fakeModel({ toolCalls: [to('Far')] }),
      agents: agentsOf([far]),
    });
    const session = assistant.openSession({ channel: 'hub' });
    const turn = session.startNow({ text: 'Go' });
    await readTurn(turn).next('text-delta');
    await turn.stop('user');
    expect(await turn.result).toMatchObject({ status: 'stopped', text: 'There "are"' });
    const saved = await snapshots.save(session);
    const { messages } = await snapshots.restore(assistant.openSession({ channel: 'hub' }), saved);
    expect(messages.flatMap(({ answer = [] }) => answer)).toMatchObject([
      { type: 'text', agent: 'Far', text: 'There "are"' },
      { type: 'turn-completed' },
    ]);
  });

  // proves extending-4-74
  it('keeps nothing of an agent that was not heard', async () => {
    const begun = Promise.withResolvers<undefined>();
    const far = remoteAgent('Far', (request, onText) => {
      onText('There are');
      begun.resolve(undefined);
      return until(request.signal);
    });
    const agents = agentsOf([
      far,
      team('sequential', { name: 'Team', members: ['Far', 'Team2'] }, fakeModel({ text: '' })),
    ]);
    const { assistant, snapshots } = testAssistant({ model: fakeModel({ toolCalls: [to('Team')] }), agents });
    const session = assistant.openSession({ channel: 'hub' });
    const turn = session.startNow({ text: 'Go' });
    await begun.promise;
    await turn.stop('user');
    expect(await turn.result).toMatchObject({ status: 'stopped', text: '' });
    const saved = await snapshots.save(session);
    const { messages } = await snapshots.restore(assistant.openSession({ channel: 'hub' }), saved);
    expect(JSON.stringify(messages)).not.toContain('There are');
  });
});

describe('a team beside another call (contract/agents.md#who-speaks)', () => {
  // proves extending-4-72
  it.each<[TeamMode, readonly string[]]>([
    ['groupChat', ['A: one', 'B: two']],
    ['concurrent', ['A: one', 'B: two']],
    ['sequential', ['B: two']],
    ['handoff', ['A: one']],
  ])('shows what each member of a team of mode %s says under its own name', async (mode, expected) => {
    const agents = agentsOf([
      specialist({ name: 'A' }, fakeModel({ text: 'one' })),
      specialist({ name: 'B' }, fakeModel({ text: 'two' })),
      specialist({ name: 'C' }, fakeModel({ text: 'three' })),
      team(mode, { name: 'Team', members: ['A', 'B'], options: { maxRounds: 2 } }, fakeModel({ text: '' })),
    ]);
    const model = fakeModel({ toolCalls: [to('Team'), to('C')] }, { text: 'Done.' });
    const turn = testAssistant({ model, agents }).assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' });
    const read = readTurn(turn);
    await turn.result;
    const texts = read.events.filter(({ type }) => type === 'text-delta');
    expect(texts.map(({ fields }) => `${String(fields['agent'])}: ${String(fields['text']).trim()}`)).toEqual([
      ...expected,
      'C: three',
      'coordinator: Done.',
    ]);
  });
});
