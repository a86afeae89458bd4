import { describe, expect, it } from 'vitest';
import { findToolsName } from '../../../../src/core/tools/tool-name.ts';
import type { ModelRequest } from '../../../../src/core/ports/chat-model.ts';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { memoryStores } from '../../../support/memory-stores.ts';
import { testAssistant } from '../../../support/test-assistant.ts';
import { toolFilter } from '../../../support/tool-choice.ts';
import { anyone, idOf, run } from '../confirmations/native-process.ts';
import { readTurn } from '../../../support/test-assistant.ts';

const page = { name: 'home', title: 'Home', url: '/', description: 'The start.', requiredRoles: [] };

const readOrder = fakeTool({ name: 'get_order', title: 'Order', description: 'Returns one order.', readOnly: true });
const others = ['invoice', 'room', 'rent', 'price', 'stock'].map((what) =>
  fakeTool({ name: `get_${what}`, title: what, description: `Returns the ${what}.`, readOnly: true }),
);
const toolList = [readOrder, ...others];

function toolNames(request: ModelRequest | undefined): readonly string[] {
  return request?.tools.map(({ name }) => name) ?? [];
}

describe('the tools that the model is sent (contract/tool-filter.md)', () => {
  // proves service-11-50
  it('are all of them without a filter, in every round with the same array', async () => {
    const model = fakeModel({ toolCalls: [call('get_order')] }, { text: 'Here.' });
    const { assistant } = testAssistant({ model, toolList });
    await assistant.openSession({ channel: 'hub' }).startNow({ text: 'my order' }).result;
    expect(toolNames(model.requests[0])).toHaveLength(6);
    expect(model.requests[1]?.tools).toBe(model.requests[0]?.tools);
  });

  // proves service-11-04
  it('are all of them where there are no more than toolFilterMaxTools, and find_tools is not offered', async () => {
    const model = fakeModel({ text: 'Here.' });
    const { assistant } = testAssistant({ model, toolList, toolFilter: toolFilter({ maxTools: 6 }) });
    await assistant.openSession({ channel: 'hub' }).startNow({ text: 'my order' }).result;
    expect(toolNames(model.requests[0])).toEqual(toolList.map(({ name }) => name));
  });

  // proves service-11-07
  it('are those that fit the message, the pages, and find_tools', async () => {
    const model = fakeModel({ text: 'Here.' });
    const filter = toolFilter({ maxTools: 1 });
    const { assistant } = testAssistant({ model, toolList, pageList: [page], toolFilter: filter });
    const session = assistant.openSession({ channel: 'hub' });
    await session.startNow({ text: 'my order' }).result;
    await session.startNow({ text: 'my order' }).result;
    expect(toolNames(model.requests[0])).toEqual(['get_order', 'navigate_to_page', findToolsName]);
    expect(model.requests[1]?.tools).toBe(model.requests[0]?.tools);
  });

  // proves service-11-08
  it('stay when the conversation has used them', async () => {
    const model = fakeModel({ toolCalls: [call('get_order')] }, { text: 'Here.' }, { text: 'Booked.' });
    const { assistant } = testAssistant({ model, toolList, toolFilter: toolFilter({ maxTools: 1 }) });
    const session = assistant.openSession({ channel: 'hub' });
    await session.startNow({ text: 'my order' }).result;
    await session.startNow({ text: 'and now the room' }).result;
    expect(toolNames(model.requests[2])).toEqual(['get_order', 'get_room', findToolsName]);
  });

  // proves service-11-13
  it('are found in a round, and can be called from the next one on, later in the conversation too', async () => {
    const model = fakeModel(
      { toolCalls: [call(findToolsName, { query: 'rent' })] },
      { toolCalls: [call('get_rent')] },
      { text: 'Here.' },
      { text: 'Again.' },
    );
    const { assistant } = testAssistant({ model, toolList, toolFilter: toolFilter({ maxTools: 1 }) });
    const session = assistant.openSession({ channel: 'hub' });
    await session.startNow({ text: 'my order' }).result;
    await session.startNow({ text: 'hm' }).result;
    expect(toolNames(model.requests[0])).not.toContain('get_rent');
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      name: findToolsName,
      text: expect.stringContaining('- get_rent: Returns the rent.') as string,
    });
    expect(toolNames(model.requests[1])).toContain('get_rent');
    expect(toolNames(model.requests[3])).toContain('get_rent');
  });

  // proves service-11-11
  it('may be called although they were not sent', async () => {
    const rent = fakeTool({ name: 'get_rent', description: 'Returns the rent.', readOnly: true });
    const model = fakeModel({ toolCalls: [call('get_rent')] }, { text: 'Here.' });
    const { assistant } = testAssistant({
      model,
      toolList: [readOrder, rent],
      toolFilter: toolFilter({ maxTools: 1 }),
    });
    await assistant.openSession({ channel: 'hub' }).startNow({ text: 'my order' }).result;
    expect(toolNames(model.requests[0])).toEqual(['get_order', findToolsName]);
    expect(rent.runs).toHaveLength(1);
  });

  // proves service-11-11
  it('are not all named to a model that makes a name up', async () => {
    const model = fakeModel({ toolCalls: [call('get_nothing')] }, { text: 'Sorry.' });
    const { assistant } = testAssistant({ model, toolList, toolFilter: toolFilter({ maxTools: 1 }) });
    await assistant.openSession({ channel: 'hub' }).startNow({ text: 'my order' }).result;
    const told = model.requests[1]?.messages.at(-1)?.text;
    expect(told).toContain(findToolsName);
    expect(told).not.toContain('get_rent');
  });

  // proves service-11-14
  it('are not found in another tenant’s tools', async () => {
    const secret = fakeTool({ name: 'get_secret_rent', description: 'Returns the rent.', tenants: ['acme'] });
    const model = fakeModel({ toolCalls: [call(findToolsName, { query: 'rent' })] }, { text: 'Here.' });
    const { assistant } = testAssistant({
      model,
      toolList: [...toolList, secret],
      toolFilter: toolFilter({ maxTools: 1 }),
    });
    await assistant.openSession({ channel: 'hub' }).startNow({ text: 'my order' }).result;
    const told = model.requests[1]?.messages.at(-1)?.text;
    expect(told).toContain('get_rent');
    expect(told).not.toContain('get_secret_rent');
  });

  // proves service-11-10
  it('are the same in the process that goes on with a turn, whatever else would fit by then', async () => {
    const kept = memoryStores();
    const close = fakeTool({ name: 'close_case', description: 'Closes a case.' });
    const first = run(kept, {
      toolList: [...toolList, close],
      toolFilter: toolFilter({ maxTools: 2 }),
      model: fakeModel({ toolCalls: [call('close_case', { caseId: 1 })] }),
    });
    await first.assistant.takeUpTurns();
    const turn = first.assistant.openSession({ channel: 'hub' }).startNow({ text: 'close the case of my order' });
    const actionId = idOf(await readTurn(turn).next('confirmation-requested'));
    const model = fakeModel({ text: 'Closed.' });
    const newer = fakeTool({ name: 'close_case_of_order', description: 'Closes the case of my order.' });
    const next = run(kept, { toolList: [newer, ...toolList, close], toolFilter: toolFilter({ maxTools: 2 }), model });
    await next.assistant.takeUpTurns();
    await next.answer(actionId);
    await (
      await next.assistant.findTurn(turn.id, anyone)
    )?.result;
    expect(toolNames(model.requests[0])).toEqual(['get_order', 'close_case', findToolsName]);
  });
});
