import { describe, expect, it } from 'vitest';
import type { TeamMode, TeamOptions } from '../../../../src/core/agents/agent-definition.ts';
import { ModelError } from '../../../../src/core/ports/chat-model.ts';
import { agentsOf, specialist, team } from '../../../support/agents/roster.ts';
import { call, fakeModel, type FakeModel } from '../../../support/fake-model.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

interface TeamPlan {
  readonly mode: TeamMode;
  readonly members: Readonly<Record<string, FakeModel>>;
  readonly options?: Partial<TeamOptions>;
  /** The model of the team itself. */
  readonly lead?: FakeModel;
  /** Messages of the user, one turn for each. */
  readonly messages?: readonly string[];
}

/** Plays a team to which the coordinator hands over each message. */
async function play({ mode, members, options = {}, lead = fakeModel({ text: '' }), messages = ['Go'] }: TeamPlan) {
  const route = call('route_to_specialist', { name: 'Team', request: 'Do it' });
  const model = fakeModel(...messages.flatMap(() => [{ toolCalls: [route] }, { text: '' }]));
  const names = Object.keys(members);
  const agents = agentsOf([
    ...Object.entries(members).map(([name, own]) => specialist({ name }, own)),
    team(mode, { name: 'Team', members: names.filter((name) => name !== 'Chair'), options }, lead),
  ]);
  const test = testAssistant({ model, agents });
  const session = test.assistant.openSession({ channel: 'hub' });
  const told: string[] = [];
  for (const text of messages) {
    const turn = session.startNow({ text });
    const reader = readTurn(turn);
    await turn.result;
    for (const { type, fields } of reader.events) {
      if (type === 'text-delta') told.push(`${String(fields['agent'])}: ${String(fields['text']).trim()}`);
    }
  }
  return { told, model, outcome: model.requests.at(-1)?.messages.at(-1)?.text };
}

const says = (text: string): FakeModel => fakeModel({ text });
const lastWords = ({ requests }: FakeModel, index = -1): readonly string[] =>
  (requests.at(index)?.messages ?? []).map(({ text }) => text);

describe('a team of mode sequential (contract/agents.md#teams)', () => {
  // proves extending-4-80
  it('lets each member work on what the members before it have said, and shows the last reply', async () => {
    const legal = says('Checked.');
    const { told, outcome } = await play({ mode: 'sequential', members: { Sales: says('A draft.'), Legal: legal } });
    expect(told).toEqual(['Legal: Checked.']);
    expect(lastWords(legal)).toEqual(['Go', 'For you: Do it', 'Sales: A draft.']);
    expect(outcome).toContain('Team has answered:\nChecked.');
  });

  // proves extending-4-80
  it('gives a member only the reply before it with chainOnlyAgentResponses', async () => {
    const legal = says('Checked.');
    const options = { chainOnlyAgentResponses: true };
    await play({ mode: 'sequential', members: { Sales: says('A draft.'), Legal: legal }, options });
    expect(lastWords(legal)).toEqual(['Sales: A draft.']);
  });

  // proves extending-4-85
  it('ends after maxRounds members, and once maxTokens are used up', async () => {
    const members = () => ({ A: says('one'), B: says('two'), C: says('three') });
    expect((await play({ mode: 'sequential', members: members(), options: { maxRounds: 2 } })).told).toEqual([
      'B: two',
    ]);
    // A fake reply has five tokens.
    expect((await play({ mode: 'sequential', members: members(), options: { maxTokens: 5 } })).told).toEqual([
      'A: one',
    ]);
    expect((await play({ mode: 'sequential', members: members(), options: { maxTokens: 6 } })).told).toEqual([
      'B: two',
    ]);
  });
});

describe('a team (contract/agents.md#teams)', () => {
  // proves extending-4-86
  it('goes on without a member who is not there any more', async () => {
    const legal = says('Checked.');
    const route = call('route_to_specialist', { name: 'Team', request: 'Do it' });
    const agents = agentsOf([
      specialist({ name: 'Legal' }, legal),
      team('sequential', { name: 'Team', members: ['Sales', 'Legal'] }, says('')),
    ]);
    const { assistant } = testAssistant({ model: fakeModel({ toolCalls: [route] }, { text: '' }), agents });
    const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'Go' });
    expect((await turn.result).text).toBe('Checked.');
    expect(lastWords(legal).at(-1)).toBe('Sales: Sales is not available any more.');
  });
});

describe('a team of mode concurrent (contract/agents.md#teams)', () => {
  // proves extending-4-81
  it('shows what all members say, in their order, whoever ends first (concat)', async () => {
    const slow = fakeModel({ text: 'slow', until: new Promise((resolve) => setImmediate(resolve)) });
    const { told, outcome } = await play({ mode: 'concurrent', members: { A: slow, B: says('fast') } });
    expect(told).toEqual(['A: slow', 'B: fast']);
    expect(outcome).toContain('A: slow\n\nB: fast');
  });

  // proves extending-4-81
  it('shows the reply of the last member (last)', async () => {
    const members = { A: says('one'), B: says('two') };
    const { told, outcome } = await play({ mode: 'concurrent', members, options: { aggregator: 'last' } });
    expect(told).toEqual(['B: two']);
    expect(outcome).not.toContain('one');
  });

  // proves extending-4-81
  it('lets the model of the team write one answer from all replies (model)', async () => {
    const lead = says('Both.');
    const members = { A: says('one'), B: says('two') };
    const { told } = await play({ mode: 'concurrent', members, options: { aggregator: 'model' }, lead });
    expect(told).toEqual(['Team: Both.']);
    expect(lastWords(lead).slice(2, 4)).toEqual(['A: one', 'B: two']);
  });

  // proves extending-4-85
  it('joins the replies without a model once maxTokens are used up', async () => {
    const lead = says('Both.');
    const members = { A: says('one'), B: says('two') };
    const { told } = await play({ mode: 'concurrent', members, options: { aggregator: 'model', maxTokens: 10 }, lead });
    expect(told).toEqual(['A: one', 'B: two']);
    expect(lead.requests).toEqual([]);
  });
});

describe('a team of mode groupChat (contract/agents.md#teams)', () => {
  // proves extending-4-82
  it('lets members speak in turns, each reading what the others said, for maxRounds rounds', async () => {
    const [a, b] = [fakeModel({ text: 'one' }, { text: 'three' }), says('two')];
    const { told, outcome } = await play({ mode: 'groupChat', members: { A: a, B: b }, options: { maxRounds: 3 } });
    expect(told).toEqual(['A: one', 'B: two', 'A: three']);
    expect(lastWords(a)).toEqual(['Go', 'For you: Do it', 'A: one', 'B: two']);
    expect(outcome).toContain('A: one\n\nB: two\n\nA: three');
  });

  // proves extending-4-82
  it('lets a manager choose who speaks next, and end the talk', async () => {
    const chair = fakeModel({ text: '{"next": "B"}' }, { text: '{"next": "A"}' }, { text: '{"next": null}' });
    const members = { A: says('two'), B: says('one'), Chair: chair };
    const { told } = await play({ mode: 'groupChat', members, options: { manager: 'Chair' } });
    expect(told).toEqual(['B: one', 'A: two']);
    expect(chair.requests[0]).toMatchObject({ format: 'json', tools: [] });
    expect(chair.requests[0]?.instructions).toContain('You are Chair.');
  });

  // proves extending-4-82
  it('goes by turns where the manager names nobody of the team', async () => {
    const chair = fakeModel({ text: 'well' }, { text: '{"next": "Nobody"}' }, { text: '{"next": null}' });
    const members = { A: says('one'), B: says('two'), Chair: chair };
    expect((await play({ mode: 'groupChat', members, options: { manager: 'Chair' } })).told).toEqual([
      'A: one',
      'B: two',
    ]);
  });

  // proves extending-4-85
  it('lets nobody speak once maxTokens are used up', async () => {
    const members = { A: says('one'), B: says('two') };
    expect((await play({ mode: 'groupChat', members, options: { maxTokens: 10 } })).told).toEqual(['A: one', 'B: two']);
  });
});

const toB = { toolCalls: [call('hand_off', { to: 'B', reason: 'B knows it' }, 'h1')] };

describe('a team of mode handoff (contract/agents.md#teams)', () => {
  // proves extending-4-83
  it('lets the first member answer, or give the conversation to another member who answers', async () => {
    const b = says('I am B.');
    const { told } = await play({ mode: 'handoff', members: { A: fakeModel(toB), B: b } });
    expect(told).toEqual(['B: I am B.']);
    expect(lastWords(b)).toEqual(['Go', 'For you: Do it', 'A: B knows it']);
    expect((await play({ mode: 'handoff', members: { A: says('I am A.'), B: b } })).told).toEqual(['A: I am A.']);
  });

  // proves extending-4-83
  it('begins with start, and offers only the ways of handoffs, with their reasons', async () => {
    const [a, b] = [
      says('A'),
      fakeModel({ toolCalls: [call('hand_off', { to: 'C', reason: 'x' }, 'h1')] }, { text: 'B' }),
    ];
    const options = { start: 'B', handoffs: [{ from: 'B', to: 'A', reason: 'For letters' }] };
    const { told } = await play({ mode: 'handoff', members: { A: a, B: b, C: says('C') }, options });
    expect(told).toEqual(['B: B']);
    const [tool] = b.requests[0]?.tools ?? [];
    expect(tool?.description).toContain('- A: For letters');
    expect(tool?.parameters).toMatchObject({ properties: { to: { enum: ['A'] } } });
    expect(b.requests[1]?.messages.at(-1)?.text).toContain('to must be one of: A');
  });

  // proves extending-4-85
  it('lets the member of the last round only answer', async () => {
    const a = fakeModel(toB);
    const b = fakeModel({ text: 'B must answer.' });
    const { told } = await play({ mode: 'handoff', members: { A: a, B: b }, options: { maxRounds: 2 } });
    expect(told).toEqual(['B: B must answer.']);
    expect(b.requests[0]?.tools).toEqual([]);
  });

  // proves extending-4-83
  it('goes on with the member who answered last where returnToPrevious is set', async () => {
    const messages = ['Go', 'On'];
    const members = () => ({ A: fakeModel(toB), B: says('I am B.') });
    const returning = members();
    await play({ mode: 'handoff', members: returning, options: { returnToPrevious: true }, messages });
    expect([returning.A.requests.length, returning.B.requests.length]).toEqual([1, 2]);
    const plain = members();
    await play({ mode: 'handoff', members: plain, messages });
    expect([plain.A.requests.length, plain.B.requests.length]).toEqual([2, 2]);
  });
});

describe('a team of mode handoff with returnToPrevious (contract/agents.md#teams)', () => {
  const options = { returnToPrevious: true };

  // proves extending-4-83
  it('does not go on with a member that could not answer', async () => {
    const b = fakeModel({ fails: new ModelError('model_unavailable', 'down', { transient: false }) });
    const a = fakeModel(toB, { text: 'I am A.' });
    const { told } = await play({ mode: 'handoff', members: { A: a, B: b }, options, messages: ['Go', 'On'] });
    expect(told).toEqual(['A: I am A.']);
  });

  // proves extending-4-83
  it('begins with start where the user may not reach the member any more that answered last', async () => {
    const [a, b] = [fakeModel(toB, { text: 'I am A.' }), says('I am B.')];
    const withB = (requiredRoles: readonly string[]) =>
      agentsOf([
        specialist({ name: 'A' }, a),
        specialist({ name: 'B', requiredRoles }, b),
        team('handoff', { name: 'Team', members: ['A', 'B'], options }, says('')),
      ]);
    const agents = withB([]);
    const route = { toolCalls: [call('route_to_specialist', { name: 'Team', request: 'Do it' })] };
    const { assistant } = testAssistant({ model: fakeModel(route, { text: '' }, route, { text: '' }), agents });
    const session = assistant.openSession({ channel: 'hub' });
    expect((await session.startNow({ text: 'Go' }).result).text).toBe('I am B.');
    Object.assign(agents, withB(['board']));
    expect((await session.startNow({ text: 'On' }).result).text).toBe('I am A.');
  });
});

const step = (next: string | null, more: object = {}) => ({
  text: JSON.stringify({ done: next === null, progress: true, next, task: `do ${String(next)}`, ...more }),
});

describe('a team of mode magentic (contract/agents.md#teams)', () => {
  // proves extending-4-84
  it('plans, asks one member after the other with a task each, and writes the answer', async () => {
    const lead = fakeModel({ text: 'The plan.' }, step('A'), step('B'), step(null), { text: 'The answer.' });
    const b = says('found');
    const { told } = await play({ mode: 'magentic', members: { A: says('looked'), B: b }, lead });
    expect(told).toEqual(['Team: The answer.']);
    expect(lastWords(b)).toEqual(['Go', 'For you: Do it', 'Plan: The plan.', 'A: looked', 'For you: do B']);
  });

  // proves extending-4-84
  it('plans anew after maxStalls steps without progress, at most maxResets times, and then answers', async () => {
    const stalling = Array.from({ length: 40 }, () => step('A', { progress: false }));
    const lead = fakeModel({ text: 'Plan 1' }, ...stalling.slice(0, 2), { text: 'Plan 2' }, ...stalling.slice(0, 2), {
      text: 'Not found.',
    });
    const options = { maxStalls: 2, maxResets: 1 };
    const a = says('nothing');
    const { told } = await play({ mode: 'magentic', members: { A: a, B: says('b') }, options, lead });
    expect(told).toEqual(['Team: Not found.']);
    expect(a.requests).toHaveLength(4);
    expect(lead.requests).toHaveLength(7);
  });

  // proves extending-4-84
  it('lets a member lead, and ends after maxRounds', async () => {
    const chair = fakeModel({ text: 'Plan' }, step('A'), step('A'), { text: 'So far.' });
    const members = { A: says('looked'), Chair: chair };
    const { told } = await play({ mode: 'magentic', members, options: { manager: 'Chair', maxRounds: 2 } });
    expect(told).toEqual(['Chair: So far.']);
  });

  // proves extending-4-85
  it('asks no member once maxTokens are used up', async () => {
    const lead = fakeModel({ text: 'Plan' }, step('A'), { text: 'So far.' });
    const { told } = await play({ mode: 'magentic', members: { A: says('looked') }, options: { maxTokens: 15 }, lead });
    expect(told).toEqual(['Team: So far.']);
  });

  it('counts the tokens of each reply once, whatever its members are called', async () => {
    const lead = fakeModel({ text: 'Plan' }, step('progress'), step('progress'), { text: 'So far.' });
    const progress = says('looked');
    await play({ mode: 'magentic', members: { progress }, options: { maxTokens: 20 }, lead });
    expect(progress.requests).toHaveLength(2);
    const [chair, next] = [fakeModel({ text: '{"next": "next"}' }), says('one')];
    const options = { manager: 'Chair', maxTokens: 11 };
    await play({ mode: 'groupChat', members: { next, Chair: chair }, options });
    expect(next.requests).toHaveLength(2);
  });
});
