import { describe, expect, it } from 'vitest';
import type { TextCheck } from '../../../../src/core/guardrails/text-check.ts';
import { agentsOf, specialist, team } from '../../../support/agents/roster.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { honestyOf } from '../../../support/honesty-model.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';
import { anyone, idOf, run as process } from '../confirmations/native-process.ts';

const route = (name: string, id = name) => call('route_to_specialist', { name, request: 'Look' }, id);

const finding = (isSafe: boolean): TextCheck => ({ name: 'test', isSafe: () => Promise.resolve(isSafe) });

/** Plays a turn whose reply is held until `check` has seen it. */
async function play(check: TextCheck, replies: Parameters<typeof fakeModel>) {
  const look = fakeTool({
    name: 'look',
    readOnly: true,
    execute: () => ({ value: 'seen', card: { type: 'AdaptiveCard', version: '1.5', body: [] } }),
  });
  const agents = agentsOf([
    specialist(
      { name: 'Billing', tools: ['look'] },
      fakeModel({ text: 'I look.', toolCalls: [call('look', {}, 'b1')] }, { text: 'Two are open.' }),
    ),
    specialist({ name: 'Sales' }, fakeModel({ text: 'It costs 5.' })),
    team('concurrent', { name: 'Both', members: ['Billing', 'Sales'] }, fakeModel({ text: '' })),
  ]);
  const guards = {
    input: () => undefined,
    output: () => ({ checks: [check], timeoutMs: 1000, onFailure: 'Block' as const }),
  };
  const { assistant } = testAssistant({ model: fakeModel(...replies), agents, toolList: [look], guards });
  const turn = assistant.openSession({ channel: 'hub' }).startNow({ text: 'Hello' });
  const reader = readTurn(turn);
  const result = await turn.result;
  const told = reader.events.flatMap(({ type, fields }) => {
    if (type === 'text-delta') return [`${String(fields['agent'])}: ${String(fields['text']).trim()}`];
    return type === 'card-ready' ? ['a card'] : [];
  });
  return { result, told };
}

describe('a reply that is held until it is checked, in which agents speak (contract/guardrails.md#replies)', () => {
  // proves extending-4-73
  it('is checked as a whole, and then shown with its speakers and cards in their order', async () => {
    const seen: string[] = [];
    const check: TextCheck = {
      name: 'test',
      isSafe: ({ text }) => {
        seen.push(text);
        return Promise.resolve(true);
      },
    };
    const { told } = await play(check, [{ text: 'One moment.', toolCalls: [route('Billing')] }, { text: 'Done.' }]);
    expect(seen).toEqual(['One moment.\n\nI look.\n\nTwo are open.\n\nDone.']);
    expect(told).toEqual([
      'coordinator: One moment.',
      'Billing: I look.',
      'a card',
      'Billing: Two are open.',
      'coordinator: Done.',
    ]);
  });

  // proves extending-4-73
  it('shows what agents said side by side once, in the order in which they were asked', async () => {
    const { told } = await play(finding(true), [{ toolCalls: [route('Both')] }, { text: '' }]);
    expect(told.filter((line) => line !== 'a card')).toEqual(['Billing: Two are open.', 'Sales: It costs 5.']);
    const twice = await play(finding(true), [
      { toolCalls: [route('Sales', 's'), route('Billing', 'b')] },
      { text: '' },
    ]);
    expect(twice.told.filter((line) => line !== 'a card')).toEqual(['Sales: It costs 5.', 'Billing: Two are open.']);
  });

  // proves extending-4-73
  it('shows nothing of any agent when the check finds it unsafe', async () => {
    const { told, result } = await play(finding(false), [{ toolCalls: [route('Billing')] }, { text: 'Done.' }]);
    expect(told).toEqual([]);
    expect(result).toMatchObject({ status: 'refused', code: 'reply_withheld', text: '' });
  });
});

/** Words of an agent that no later message may bring to a model. Each is in the request of another agent, too. */
const secret = 'sk-777';
const lookForSecret = { toolCalls: [call('route_to_specialist', { name: 'Vault', request: `Is it ${secret}?` }, 'v')] };

const guards = {
  input: () => undefined,
  output: () => ({
    checks: [
      { name: 'test', isSafe: ({ text }: { readonly text: string }) => Promise.resolve(!text.includes(secret)) },
    ],
    timeoutMs: 1000,
    onFailure: 'Block' as const,
  }),
};

/** Who answers in place of Vault. Each says the secret, and has paid before. */
const vaults = {
  'a specialist': () => [paying('Vault', `It is ${secret}.`)],
  'a team of mode sequential': () => [
    specialist({ name: 'Clerk' }, fakeModel({ text: `I found ${secret}.` })),
    paying('Cash', `It is ${secret}.`),
    team('sequential', { name: 'Vault', members: ['Clerk', 'Cash'] }, fakeModel({ text: '' })),
  ],
  'a team of mode handoff': () => [
    specialist(
      { name: 'Clerk' },
      fakeModel({ toolCalls: [call('hand_off', { to: 'Cash', reason: `It is ${secret}` })] }),
    ),
    paying('Cash', `It is ${secret}.`),
    team('handoff', { name: 'Vault', members: ['Clerk', 'Cash'] }, fakeModel({ text: '' })),
  ],
  'a team whose members speak side by side': () => [
    specialist({ name: 'Clerk' }, fakeModel({ text: `I found ${secret}.` })),
    paying('Cash', `It is ${secret}.`),
    team('concurrent', { name: 'Vault', members: ['Clerk', 'Cash'] }, fakeModel({ text: '' })),
  ],
};
const vaultNames = Object.keys(vaults) as readonly (keyof typeof vaults)[]; // its keys are the names

function paying(name: string, text: string) {
  return specialist({ name, tools: ['pay'] }, fakeModel({ toolCalls: [call('pay', {}, 'p')] }, { text }));
}

const pay = fakeTool({ name: 'pay', title: 'Pay' });
const approving = { toolList: [pay], requireConfirmation: false };

/** What the model was sent last, without its tools. */
const lastSent = ({ requests }: ReturnType<typeof fakeModel>): string => JSON.stringify(requests.at(-1)?.messages);

/** Plays a turn, then another message in the same session, and one in a session that a snapshot restored. */
async function playOn(options: TestAssistantOptions & { readonly model: ReturnType<typeof fakeModel> }) {
  const { model } = options;
  const { assistant, snapshots } = testAssistant({ ...approving, ...options });
  const session = assistant.openSession({ channel: 'hub' });
  const result = await session.startNow({ text: 'Which key?' }).result;
  const saved = await snapshots.save(session);
  await session.startNow({ text: 'Go on' }).result;
  const next = lastSent(model);
  const restored = assistant.openSession({ channel: 'hub' });
  const { messages } = await snapshots.restore(restored, saved);
  await restored.startNow({ text: 'Go on' }).result;
  return { result, next, shown: JSON.stringify(messages), restored: lastSent(model) };
}

describe('words of agents that the user was not shown (contract/guardrails.md#replies)', () => {
  // proves service-2.8-26
  it.each(vaultNames)('are neither kept nor sent to a model again, where %s has said them', async (vault) => {
    const model = fakeModel(lookForSecret, { text: 'There it is.' }, { text: 'Yes.' });
    const { result, next, shown, restored } = await playOn({ model, agents: agentsOf(vaults[vault]()), guards });
    expect(result).toMatchObject({ code: 'reply_withheld' });
    for (const sent of [next, restored]) {
      expect(sent).toContain('Vault has answered, but the answer was withheld.');
      expect(sent).toContain('- Pay: succeeded');
      expect(sent).not.toContain('has read this answer');
    }
    expect(`${next}${shown}${restored}`).not.toContain(secret);
  });

  it('stay where the check has found them safe', async () => {
    const safe = { ...guards, output: () => ({ ...guards.output(), checks: [finding(true)] }) };
    const model = fakeModel(lookForSecret, { text: 'There it is.' }, { text: 'Yes.' });
    const { next, restored } = await playOn({ model, agents: agentsOf(vaults['a specialist']()), guards: safe });
    for (const sent of [next, restored]) expect(sent).toContain(`Vault has answered:\\nIt is ${secret}.`);
  });

  // proves service-2.8-26
  it('are not kept where a member of the team has failed with them', async () => {
    const agents = agentsOf([specialist({ name: 'Vault' }, fakeModel({ fails: new Error(`no ${secret}`) }))], {
      showsFaults: true,
    });
    const model = fakeModel(lookForSecret, { text: `It is ${secret}.` }, { text: 'Yes.' });
    const { next, shown, restored } = await playOn({ model, agents, guards });
    expect(next).toContain('Vault could not answer. Nothing was changed.');
    expect(`${next}${shown}${restored}`).not.toContain(secret);
  });

  // proves service-2.8-26
  it.each(['in the next process', 'in a copy'])('stay away in a turn that goes on %s', async (where) => {
    const { first, session, turn, actionId, next, model } = await waitingWithSecret();
    const copied = Promise.withResolvers<unknown>();
    const opened = next.assistant.openSession({
      channel: 'hub',
      onCopy: (copy) => {
        const asked = readTurn(copy).next('confirmation-requested');
        copied.resolve(asked.then((event) => next.answer(idOf(event))).then(() => copy.result));
      },
    });
    if (where === 'in a copy') {
      const { messages } = await next.snapshots.restore(opened, await first.snapshots.save(session));
      expect(JSON.stringify(messages)).not.toContain(secret);
    } else {
      await next.assistant.takeUpTurns();
      const takenUp = await next.assistant.findTurn(turn.id, anyone);
      if (takenUp === undefined) throw new Error('the turn was not taken up');
      opened.adopt(takenUp);
      copied.resolve(takenUp.result);
      await next.answer(actionId);
    }
    expect(await copied.promise).toMatchObject({ code: 'reply_withheld' });
    await opened.startNow({ text: 'Go on' }).result;
    expect(lastSent(model)).toContain('Vault has answered, but the answer was withheld.');
    expect(lastSent(model)).not.toContain(secret);
  });
});

/** A held turn in which an agent has said the secret, and which waits for its user; and the next process, before it takes that turn up. */
async function waitingWithSecret() {
  const kept = memoryStores();
  const agents = agentsOf([specialist({ name: 'Vault' }, fakeModel({ text: `It is ${secret}.` }))]);
  const asking = { text: 'I pay.', toolCalls: [call('pay', {})] };
  const first = process(kept, { toolList: [pay], model: fakeModel(lookForSecret, asking), agents, guards });
  const session = first.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'Which key?' });
  const actionId = idOf(await readTurn(turn).next('confirmation-requested'));
  const model = fakeModel({ text: 'Done.' }, { text: 'Yes.' });
  return { first, session, turn, actionId, model, next: process(kept, { toolList: [pay], model, agents, guards }) };
}

describe('words of agents that were replaced (contract/guardrails.md#true-replies)', () => {
  const lie = 'Case 777 is closed.';
  const ask = { toolCalls: [call('route_to_specialist', { name: 'Desk', request: 'Close it' }, 'd')] };
  const asking = [
    ['a specialist', [specialist({ name: 'Desk' }, fakeModel({ text: lie }))]],
    [
      'a team of mode handoff',
      [
        specialist({ name: 'Clerk' }, fakeModel({ toolCalls: [call('hand_off', { to: 'Cash', reason: lie })] })),
        specialist({ name: 'Cash' }, fakeModel({ text: lie })),
        team('handoff', { name: 'Desk', members: ['Clerk', 'Cash'] }, fakeModel({ text: '' })),
      ],
    ],
  ] as const;

  // proves configuration-2-47
  it.each(asking)('are neither kept nor sent again, where %s has claimed a change', async (_title, agents) => {
    const { honesty } = honestyOf({ change: true, claim: true });
    const model = fakeModel(ask, { text: 'Done.' }, { text: 'Yes.' });
    const { result, next, shown, restored } = await playOn({ model, agents: agentsOf(agents), honesty });
    expect(result.text).toContain('Nothing was changed.');
    for (const sent of [next, restored]) {
      expect(sent).toContain('Desk has answered, but the answer was taken back.');
      expect(sent).toContain(result.text);
    }
    expect(`${next}${shown}${restored}`).not.toMatch(/is closed|has read this answer/);
  });

  // proves configuration-2-47
  it('do not come to the model that is asked once more, in the same turn', async () => {
    const { honesty } = honestyOf({ records: true });
    const look = fakeTool({ name: 'look', readOnly: true, execute: () => ({ value: 'open' }) });
    const model = fakeModel(ask, { text: 'So it is.' }, { toolCalls: [call('look')] }, { text: 'It is open.' });
    const agents = agentsOf([specialist({ name: 'Desk' }, fakeModel({ text: lie }))]);
    const { assistant } = testAssistant({ model, agents, honesty, toolList: [look] });
    const result = await assistant.openSession({ channel: 'hub' }).startNow({ text: 'Is it open?' }).result;
    expect(result.text).toBe('It is open.');
    const again = JSON.stringify(model.requests[2]?.messages);
    expect(again).toContain('Desk has answered, but the answer was taken back.');
    expect(again).not.toMatch(/is closed|has read this answer/);
  });
});
