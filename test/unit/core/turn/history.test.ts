import { describe, expect, it } from 'vitest';
import { call, fakeModel } from '../../../support/fake-model.ts';
import { fakeTool } from '../../../support/fake-tool.ts';
import { fakePage } from '../../../support/fake-page.ts';
import { said } from '../../../support/said.ts';
import { readTurn, testAssistant } from '../../../support/test-assistant.ts';

const look = fakeTool({ name: 'get_case', title: 'Look up a case', readOnly: true });

/** Sends two messages after one another and returns what the model was given with the second one. */
async function historyAfter(first: string, ...steps: Parameters<typeof fakeModel>) {
  const model = fakeModel(...steps, { text: 'ok' });
  const session = testAssistant({ model, toolList: [look] }).assistant.openSession({ channel: 'hub' });
  await session.startNow({ text: first }).result;
  await session.startNow({ text: 'again' }).result;
  return model.requests.at(-1)?.messages ?? [];
}

describe('what a turn leaves for the next one (contract/sessions.md#length, contract/models.md: the next message works)', () => {
  it('is nothing when the reply is empty: providers refuse a history with an empty message', async () => {
    expect(said(await historyAfter('hello', { text: ' \n' }))).toEqual([{ role: 'user', text: 'again' }]);
  });

  it('has no empty message behind tool calls either', async () => {
    const messages = await historyAfter('hello', { toolCalls: [call('get_case')] }, { text: '' });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });

  it('has a name every provider takes back for a tool that the model made up', async () => {
    const [, assistant, outcome] = await historyAfter('hello', { toolCalls: [call('get.case')] }, { text: 'Sorry.' });
    const name = assistant?.role === 'assistant' ? assistant.toolCalls[0]?.name : undefined;
    expect(name).toBe('unknown_tool');
    expect(outcome).toMatchObject({ role: 'tool', name });
  });
});

describe('where the text of a message came from', () => {
  const page = { name: 'case', data: { id: 7 } };
  const text = { text: 'This is case 7.' };
  const steps = [{ toolCalls: [call('get_case'), call('gone'), call('navigate_to_page', { page: 'x' })] }, text, text];

  it('is in every message the model is sent, and in the history', async () => {
    const model = fakeModel(...steps);
    const pageList = [{ name: 'case', title: 'Case', description: '', url: '/case', params: [], requiredRoles: [] }];
    const { assistant } = testAssistant({ model, toolList: [look], pageList });
    const session = assistant.openSession({ channel: 'hub' });
    await session.startNow({ text: 'which case?' }, { page }).result;
    const origins = ['user', 'model', 'action', 'operator', 'operator', 'model'];
    expect(session.transcript.map(({ message }) => message.origin)).toEqual(origins);
    // The context of a page is part of the user's message. The message therefore has the origin `page`.
    expect(model.requests[0]?.messages.map(({ origin }) => origin)).toEqual(['page']);
    expect(model.requests[1]?.messages.map(({ origin }) => origin)).toEqual(['page', ...origins.slice(1, -1)]);
  });

  it('is the page for what the page says of itself', async () => {
    const { session, told } = await pageTold();
    expect(told?.origin).toBe('page');
    expect(session.transcript.find(({ message }) => message.role === 'tool')?.message.origin).toBe('page');
  });

  async function pageTold() {
    const model = fakeModel({ toolCalls: [call('page_show_order', { id: 7 })] }, text);
    const uiActions = fakePage();
    const session = testAssistant({ model }).assistant.openSession({ channel: 'hub', uiActions });
    const turn = session.startNow({ text: 'show it' });
    readTurn(turn, 0, uiActions);
    await turn.result;
    return { session, told: model.requests[1]?.messages.at(-1) };
  }
});

describe('a message that cannot be put into words for the model (contract/events.md)', () => {
  it('ends its turn as failed, and the next one works', async () => {
    const data = {
      toJSON() {
        throw new RangeError('too deep');
      },
    };
    const model = fakeModel({ text: 'ok' });
    const session = testAssistant({ model }).assistant.openSession({ channel: 'hub' });
    const broken = session.startNow({ text: 'hello', cardSubmit: { cardId: 'card', data } });
    expect(await broken.result).toMatchObject({ status: 'failed', code: 'internal' });
    expect(await session.startNow({ text: 'again' }).result).toMatchObject({ status: 'completed' });
  });
});
