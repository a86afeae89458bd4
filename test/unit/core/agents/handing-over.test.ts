import { describe, expect, it } from 'vitest';
import { AutoApproval } from '../../../../src/core/confirmations/auto-approval.ts';
import { ModelError } from '../../../../src/core/ports/chat-model.ts';
import { agentsOf, specialist } from '../../../support/agents/roster.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../../../support/test-assistant.ts';

const toBilling = call('route_to_specialist', { name: 'Billing', request: 'Which invoices are open?' });

function begin(options: TestAssistantOptions) {
  const test = testAssistant(options);
  const session = test.assistant.openSession({ channel: 'hub' });
  const turn = session.startNow({ text: 'What do I owe?' });
  return { ...test, session, turn, reader: readTurn(turn) };
}

describe('handing over (contract/agents.md#handing-over)', () => {
  // proves extending-4-60, extending-4-61, extending-4-62, extending-4-65, extending-4-68, extending-4-70
  // proves extending-4-71, extending-4-72
  it('lets the specialist answer the user, with its own instructions and only its own tools, and tells who speaks', async () => {
    const model = fakeModel({ toolCalls: [toBilling] }, { text: 'Anything else?' });
    const billing = fakeModel({ toolCalls: [call('get_invoice', {}, 'b1')] }, { text: 'Two are open.' });
    const tools = [fakeTool({ name: 'get_invoice', readOnly: true }), fakeTool({ name: 'close_case' })];
    const agents = agentsOf([specialist({ name: 'Billing', tools: ['get_invoice'] }, billing)]);
    const { turn, reader, log } = begin({ model, toolList: tools, agents });
    const { status, text } = await turn.result;
    expect({ status, text }).toEqual({ status: 'completed', text: 'Two are open.\n\nAnything else?' });
    const told = reader.events.flatMap(({ type, fields }) => {
      if (type === 'text-delta') return [`${String(fields['agent'])}: ${String(fields['text']).trim()}`];
      if (type === 'agent-activity') return [`${String(fields['agent'])} ${String(fields['phase'])}`];
      if (type === 'action-executing') return [`${String(fields['agent'])} runs ${String(fields['action'])}`];
      return [];
    });
    expect(told).toEqual([
      'Billing started',
      'Billing runs get_invoice',
      'Billing speaking',
      'Billing: Two are open.',
      'Billing finished',
      'coordinator: Anything else?',
    ]);
    const [first] = billing.requests;
    expect(first?.instructions).toBe('You are Billing.\n\nBe true.');
    expect(first?.tools.map(({ name }) => name)).toEqual(['get_invoice']);
    expect(first?.messages.map(({ role, text: words }) => [role, words])).toEqual([
      ['user', 'What do I owe?'],
      ['user', 'For you: Which invoices are open?'],
    ]);
    expect(log.lines.find(({ message }) => message === 'turn ended')?.fields).toMatchObject({
      agents: { Billing: 'v1' },
    });
    const outcome = model.requests[1]?.messages.at(-1);
    expect(outcome).toMatchObject({ role: 'tool', name: 'route_to_specialist' });
    expect(outcome?.text).toContain('[succeeded] Billing has answered:\nTwo are open.');
  });

  // proves extending-4-90
  it('asks the user for an action of a specialist, and names the specialist in the question', async () => {
    const model = fakeModel({ toolCalls: [toBilling] }, { text: '' });
    const billing = fakeModel({ toolCalls: [call('pay', {}, 'b1')] }, { text: 'Paid.' });
    const pay = fakeTool({ name: 'pay' });
    const agents = agentsOf([specialist({ name: 'Billing', tools: ['pay'] }, billing)]);
    const { turn, reader, assistant } = begin({ model, toolList: [pay], agents });
    const { fields } = await reader.next('confirmation-requested');
    expect(fields).toMatchObject({ agent: 'Billing', action: 'pay', canRemember: false });
    expect(pay.runs).toEqual([]);
    await assistant.answerConfirmation({ actionId: String(fields['actionId']), approved: true }, turn.principal);
    expect((await turn.result).text).toBe('Paid.');
    expect(pay.runs).toHaveLength(1);
    expect(reader.events.at(-1)?.fields['receipts']).toMatchObject([{ action: 'pay', status: 'succeeded' }]);
  });

  // proves extending-4-60, extending-4-63
  it('hides an agent from users without its role, and hands over to no such agent', async () => {
    const model = fakeModel({ toolCalls: [toBilling] }, { text: 'I cannot.' });
    const billing = fakeModel({ text: 'Secret.' });
    const agents = agentsOf([
      specialist({ name: 'Billing', requiredRoles: ['Clerk'] }, billing),
      specialist({ name: 'Sales' }, fakeModel({ text: 'Hello.' })),
    ]);
    const { turn } = begin({ model, agents });
    await turn.result;
    expect(model.requests[0]?.tools[0]).toMatchObject({
      name: 'route_to_specialist',
      parameters: { properties: { name: { enum: ['Sales'] } } },
    });
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('name must be one of: Sales');
    expect(billing.requests).toEqual([]);
  });

  // proves extending-4-66, extending-4-69
  it('goes on when a specialist fails, takes back its half reply, and says why only with includeWorkflowExceptionDetails', async () => {
    const failing = () =>
      fakeModel({
        text: 'Half',
        fails: new ModelError('model_unavailable', 'no line to the model', { transient: false }),
      });
    const play = async (showsFaults: boolean) => {
      const model = fakeModel({ text: 'One moment.', toolCalls: [toBilling] }, { text: 'Sorry.' });
      const agents = agentsOf([specialist({ name: 'Billing' }, failing())], { showsFaults });
      const { turn, reader } = begin({ model, agents });
      return { model, result: await turn.result, types: reader.events.map(({ type }) => type) };
    };
    const plain = await play(false);
    expect(plain.result).toMatchObject({ status: 'completed', text: 'One moment.\n\nSorry.' });
    expect(plain.types).toContain('text-replaced');
    expect(plain.model.requests[1]?.messages.at(-1)?.text).toBe('[failed] Billing could not answer.');
    const shown = await play(true);
    expect(shown.model.requests[1]?.messages.at(-1)?.text).toContain('no line to the model');
  });

  // proves extending-4-72
  it('lets several agents work side by side, and then shows what they said in the order of the calls', async () => {
    const slow = Promise.withResolvers<undefined>();
    const toSales = call('route_to_specialist', { name: 'Sales', request: 'A quote' }, 'call_2');
    const model = fakeModel({ toolCalls: [toBilling, toSales] }, { text: 'Done.' });
    const agents = agentsOf([
      specialist({ name: 'Billing' }, fakeModel({ text: 'Two are open.', until: slow.promise })),
      specialist({ name: 'Sales' }, fakeModel({ text: 'It costs 5.' })),
    ]);
    const { turn, reader } = begin({ model, agents });
    await reader.next('agent-activity');
    slow.resolve(undefined);
    await turn.result;
    const texts = reader.events.filter(({ type }) => type === 'text-delta');
    expect(texts.map(({ fields }) => [fields['agent'], String(fields['text']).trim()])).toEqual([
      ['Billing', 'Two are open.'],
      ['Sales', 'It costs 5.'],
      ['coordinator', 'Done.'],
    ]);
  });

  // proves extending-4-64
  it('hands over at most three times in a row', async () => {
    const route = (name: string) => call('route_to_specialist', { name, request: 'go on' }, `to_${name}`);
    const names = ['A', 'B', 'C', 'D'];
    const models = names.map((name, index) => {
      const next = names[index + 1];
      return fakeModel(next === undefined ? { text: `${name} answers.` } : { toolCalls: [route(next)] }, {
        text: `${name} ends.`,
      });
    });
    const agents = agentsOf(
      names.map((name, index) =>
        specialist({ name, tools: ['route_to_specialist'] }, models[index] ?? fakeModel({ text: '' })),
      ),
    );
    const { turn } = begin({ model: fakeModel({ toolCalls: [route('A')] }, { text: 'End.' }), agents });
    expect((await turn.result).text).toBe('C ends.\n\nB ends.\n\nA ends.\n\nEnd.');
    expect(models[2]?.requests[0]?.tools).toEqual([]);
    expect(models[3]?.requests).toEqual([]);
  });

  // proves extending-4-67
  it('tells the model after a Stop what an agent has done, and never that nothing was changed', async () => {
    const held = Promise.withResolvers<undefined>();
    const model = fakeModel({ toolCalls: [toBilling] }, { text: 'Again.' });
    const billing = fakeModel({ toolCalls: [call('note', {}, 'b1')] }, { text: 'Noted, and', until: held.promise });
    const note = fakeTool({ name: 'note', title: 'Note it', requiresConfirmation: false });
    const agents = agentsOf([specialist({ name: 'Billing', tools: ['note'] }, billing)]);
    const { turn, reader, session } = begin({ model, toolList: [note], agents });
    await reader.next('text-delta');
    await turn.stop('user');
    expect(await turn.result).toMatchObject({ status: 'stopped', text: 'Noted, and' });
    const next = session.startNow({ text: 'And?' });
    await next.result;
    const told = model.requests[1]?.messages.find(({ role }) => role === 'tool');
    expect(told?.text).toBe(
      '[cancelled] Billing was stopped before it had answered. What came of its actions:\n- Note it: succeeded',
    );
  });

  // proves extending-4-91
  it('lets no rule answer for the user there', async () => {
    const model = fakeModel({ toolCalls: [toBilling] }, { text: '' });
    const billing = fakeModel({ toolCalls: [call('pay', {}, 'b1')] }, { text: 'Not paid.' });
    const agents = agentsOf([specialist({ name: 'Billing', tools: ['pay'] }, billing)]);
    const autoApproval = new AutoApproval({ rules: [() => true], maxRounds: 9 });
    const pay = fakeTool({ name: 'pay', trusted: true });
    const { turn, reader, assistant } = begin({
      model,
      toolList: [pay],
      agents,
      autoApproval,
      enforcesProvenance: false,
    });
    const { fields } = await reader.next('confirmation-requested');
    await assistant.answerConfirmation({ actionId: String(fields['actionId']), approved: false }, turn.principal);
    await turn.result;
    expect(pay.runs).toEqual([]);
  });

  // proves extending-4-62
  it('gives each agent its own rounds of tools', async () => {
    const looks = (id: string) => ({ toolCalls: [call('look', { id }, id)] });
    const billing = fakeModel(looks('1'), looks('2'), { text: 'Seen.' });
    const model = fakeModel(looks('0'), { toolCalls: [toBilling] }, { text: 'Done.' });
    const look = fakeTool({ name: 'look', readOnly: true });
    const agents = agentsOf([specialist({ name: 'Billing', tools: ['look'] }, billing)]);
    const { turn } = begin({ model, toolList: [look], agents, maxToolRounds: 2 });
    await turn.result;
    expect(look.runs).toHaveLength(3);
    expect(billing.requests.map(({ toolChoice }) => toolChoice)).toEqual(['auto', 'auto', 'none']);
  });

  // proves extending-4-75
  it('lets the coordinator hand over ten times in a turn, and any other agent three times', async () => {
    const asks = (name: string, count: number) => ({
      toolCalls: Array.from({ length: count }, (_, index) =>
        call('route_to_specialist', { name, request: String(index) }, `${name}${String(index)}`),
      ),
    });
    const billing = fakeModel(asks('Sales', 5), { text: 'Done.' });
    const sales = fakeModel({ text: 'Here.' });
    const tools = ['route_to_specialist'];
    const agents = agentsOf([specialist({ name: 'Billing', tools }, billing), specialist({ name: 'Sales' }, sales)]);
    const model = fakeModel(asks('Billing', 1), asks('Sales', 11), { text: 'End.' });
    const { turn } = begin({ model, agents });
    await turn.result;
    expect(sales.requests).toHaveLength(3 + 9);
    const refused = model.requests[2]?.messages.filter(({ text }) =>
      text.startsWith('[refused] This was not handed over'),
    );
    expect(refused).toHaveLength(2);
  });
});
