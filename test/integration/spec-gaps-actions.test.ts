import { describe, expect, it } from 'vitest';
import { InMemoryConfirmationJournal } from '../../src/adapters/stores/in-memory/in-memory-confirmation-journal.ts';
import { recoverJournal } from '../../src/core/confirmations/recover-journal.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { recordingLogger } from '../support/quiet.ts';
import { readTurn, testAssistant, type TestAssistantOptions } from '../support/test-assistant.ts';

const day = 24 * 60 * 60 * 1000;

function open(options: TestAssistantOptions) {
  const test = testAssistant(options);
  return { ...test, session: test.assistant.openSession({ channel: 'hub' }) };
}

describe('confirmations (contract/confirmations.md#which-actions-ask)', () => {
  // proves service-2.3-07, wire-5-10
  it('name an argument by its title, else by its name, and show the raw value', async () => {
    const tool = fakeTool({
      parameters: {
        type: 'object',
        properties: { a: { title: 'Title of a' }, b: {}, c: { title: '' } },
        additionalProperties: true,
      },
    });
    const value = { b: { deep: [1, '\u202e'] } };
    const { session } = open({
      model: fakeModel({ toolCalls: [call('close_case', { a: 1, b: value, c: null, d: 'x' })] }, {}),
      toolList: [tool],
    });
    const turn = session.startNow({ text: 'x' });
    const { fields } = await readTurn(turn).next('confirmation-requested');
    expect(fields['arguments']).toEqual([
      { name: 'a', label: 'Title of a', value: 1 },
      { name: 'b', label: 'b', value },
      { name: 'c', label: 'c', value: null },
      { name: 'd', label: 'd', value: 'x', undeclared: true },
    ]);
    await turn.stop('user');
    await turn.result;
  });

  function asking() {
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'ok' });
    const { session, assistant } = open({ model, toolList: [fakeTool()] });
    const turn = session.startNow({ text: 'x' });
    const decide = async (actionId: string, how: string): Promise<void> => {
      if (how === 'stopped') await turn.stop('user');
      else if (how === 'closed') session.close('connection-closed');
      else await assistant.answerConfirmation({ actionId, approved: how === 'approved' }, session.principal);
    };
    return { turn, reader: readTurn(turn), decide };
  }

  it.each([
    // proves wire-2-12, wire-5-27
    ['approved', 'user', 'approved'],
    // proves wire-5-27
    ['declined', 'user', 'declined'],
    // proves wire-5-27
    ['cancelled', 'user', 'stopped'],
    // proves service-3-05, wire-2-12, wire-5-27
    ['cancelled', 'system', 'closed'],
  ])('end as %s by the %s in exactly one ConfirmationResolved', async (outcome, by, how) => {
    const { turn, reader, decide } = asking();
    const { fields } = await reader.next('confirmation-requested');
    const actionId = String(fields['actionId']);
    await decide(actionId, how);
    await turn.result;
    const resolved = reader.events.filter(({ type }) => type === 'confirmation-resolved');
    expect(resolved.map((event) => event.fields)).toMatchObject([{ actionId, outcome, by }]);
  });

  // proves service-2.6-05, wire-2-10
  it('without requireConfirmation nothing asks, and requiredRoles still refuses', async () => {
    const gated = fakeTool({ name: 'refund', requiredRoles: ['Boss'], requiresConfirmation: true });
    const closes = fakeTool({ requiresConfirmation: true });
    const model = fakeModel({ toolCalls: [call('refund'), call('close_case')] }, { text: 'ok' });
    const { session } = open({ model, toolList: [gated, closes], requireConfirmation: false });
    const turn = session.startNow({ text: 'x' });
    const reader = readTurn(turn);
    await turn.result;
    expect(reader.events.some(({ type }) => type === 'confirmation-requested')).toBe(false);
    expect([gated.runs.length, closes.runs.length]).toEqual([0, 1]);
    const completed = reader.events
      .filter(({ type }) => type === 'action-completed')
      .map(({ fields }) => fields['status']);
    expect(completed.sort()).toEqual(['refused', 'succeeded']);
  });

  it('run the action as the user of the turn, who is anonymous here', async () => {
    let user: unknown;
    const tool = fakeTool({
      execute: (_arguments, context) => {
        user = context.user;
        return { value: 1 };
      },
    });
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'ok' });
    const { session, assistant } = open({ model, toolList: [tool] });
    const turn = session.startNow({ text: 'x' });
    const { fields } = await readTurn(turn).next('confirmation-requested');
    await assistant.answerConfirmation({ actionId: String(fields['actionId']), approved: true }, session.principal);
    await turn.result;
    expect(user).toEqual({ id: '', name: '', roles: [], claims: {}, isAuthenticated: false });
  });

  // proves wire-5-29
  it('are in the journal as long as a snapshot could carry them', async () => {
    const journal = new InMemoryConfirmationJournal();
    const now = Date.now();
    for (const [actionId, at] of [
      ['old', now - 31 * day],
      ['young', now - 29 * day],
    ] as const) {
      await journal.requested({
        actionId,
        callId: actionId,
        turnId: 't',
        conversationId: 'c',
        action: 'close_case',
        argumentsHash: '',
        arguments: '{}',
        agent: 'coordinator',
        owner: null,
        requestedAt: at,
      });
      await journal.answered(actionId, { answer: 'declined', by: 'user' }, at);
    }
    await recoverJournal(journal, recordingLogger(), { now, retentionMs: 30 * day, kept: new Set() });
    expect(await journal.find('old')).toBeUndefined();
    expect(await journal.find('young')).toMatchObject({ state: 'done' });
  });
});

describe('hooks (contract/errors.md#faults-of-actions)', () => {
  // proves service-2.8-01
  it('onToolResult is given tool name and result, and the model reads what it made of it', async () => {
    const given: unknown[] = [];
    const tool = fakeTool({ readOnly: true, execute: () => ({ value: { email: 'ann@example.com', open: true } }) });
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'ok' });
    const { session } = open({
      model,
      toolList: [tool],
      transformResult: (name, result) => {
        given.push(name, result);
        return Promise.resolve({ open: true });
      },
    });
    await session.startNow({ text: 'x' }).result;
    expect(given).toEqual(['close_case', { email: 'ann@example.com', open: true }]);
    expect(model.requests[1]?.messages.at(-1)?.text).toContain('{"open":true}');
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('ann@');
  });

  // proves service-2.8-08
  it('onException is asked about exceptions of the tool itself only', async () => {
    const asked: string[] = [];
    const gated = fakeTool({ name: 'refund', requiredRoles: ['Boss'] });
    const slow = fakeTool({ name: 'wait', readOnly: true, timeoutMs: 5, execute: () => new Promise(() => undefined) });
    const throws = fakeTool({ name: 'throws', readOnly: true, execute: () => Promise.reject(new Error('own')) });
    const toolCalls = [call('refund'), call('wait'), call('throws'), call('unknown'), call('throws', 'broken {')];
    const { session } = open({
      model: fakeModel({ toolCalls }, { text: 'ok' }),
      toolList: [gated, slow, throws],
      mappers: [(error) => (asked.push(error.message), 'mapped')],
    });
    await session.startNow({ text: 'x' }).result;
    expect(asked).toEqual(['own']);
  });
});
