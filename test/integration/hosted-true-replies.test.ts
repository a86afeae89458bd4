import { describe, expect, it, onTestFinished } from 'vitest';
import { allOf, inProcessHelper, nextOf } from '../support/in-process-helper.ts';
import { approvalRequest, mcpCall, replyWith } from '../support/responses-model.ts';
import { type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';

const asking = replyWith('r1', [approvalRequest('mcpr_1', 'pay', { amount: 5 })], 'One moment.');
const paid = replyWith('r2', [mcpCall('mcp_1', 'pay', { approval_request_id: 'mcpr_1', output: 'Paid 5.' })], 'Paid.');

function settingsOf(server: object = {}, more: object = {}): object {
  return { hostedMcpServers: [{ name: 'erp', url: 'https://erp.example/mcp', ...server }], ...more };
}

describe('true replies with calls of the provider (contract/hosted-tools.md#activity)', () => {
  const honest = { requireActionForChangeRequests: true, requireLookupForRecordQuestions: true };

  /** A helper whose small questions are all answered with yes. */
  async function honestHelper(scripts: readonly ModelScript[], hosted: object) {
    const small = await startScriptedModel({ otherwise: saying('{"answer": true}') });
    onTestFinished(() => small.close());
    const entry = { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none' };
    const opened = await inProcessHelper({
      scripts,
      models: { small: entry },
      settings: { ...honest, classifierChatClient: 'small', ...hosted },
    });
    return { ...opened, session: await opened.helper.session() };
  }

  // proves service-2.17-25
  it.each([
    ['of an MCP server', mcpCall('mcp_1', 'find'), settingsOf({ requireApproval: false })],
    [
      'of a search in files',
      { id: 'fs_1', type: 'file_search_call', status: 'completed', queries: [] },
      { hostedTools: ['FileSearch'], hostedToolOptions: { FileSearch: { vectorStoreIds: ['vs_1'] } } },
    ],
  ])('let the words of the model stand after a call %s', async (_which, call, hosted) => {
    const text = 'Order 7 is open.';
    const { session, model } = await honestHelper([replyWith('r1', [call], text)], {
      ...hosted,
      requireActionForChangeRequests: false,
    });
    const events = await allOf(session.send('Is order 7 open?'));
    expect(events.at(-1)).toMatchObject({ status: 'completed', text });
    expect(model.requests).toHaveLength(1);
  });

  // proves service-2.17-24
  it('let a claim stand that a call of an MCP server bears out', async () => {
    const { session } = await honestHelper([asking, paid], settingsOf({ requireApproval: true }));
    const turn = session.send('pay 5');
    await session.approve((await nextOf(turn, 'ConfirmationRequested')).actionId, true);
    expect((await allOf(turn)).at(-1)).toMatchObject({ text: 'One moment.\n\nPaid.' });
  });

  // proves service-2.17-25
  it('replace what was not looked up, after the model was made to call a tool of this server', async () => {
    const invented = replyWith('r1', [], 'Order 7 is open.');
    const { session, model } = await honestHelper(
      [invented, replyWith('r2', [], 'It is open, really.')],
      settingsOf({}, { requireActionForChangeRequests: false }),
    );
    const events = await allOf(session.send('Is order 7 open?'));
    expect(JSON.stringify(events.at(-1))).not.toContain('It is open, really.');
    const { body } = await model.request(1);
    expect(body['tool_choice']).toBe('required');
    expect((body['tools'] as readonly { type: string }[]).map(({ type }) => type)).toEqual(['function']);
  });

  it('offer all tools again after the call that was made to be, also once a call of the provider is approved', async () => {
    const lookUp = {
      id: 'fc_1',
      type: 'function_call',
      call_id: 'c1',
      name: 'look',
      arguments: '{}',
      status: 'completed',
    };
    const { session, model } = await honestHelper(
      [replyWith('r0', [], 'Order 7 is open.'), replyWith('r1', [lookUp]), asking, paid],
      settingsOf({ requireApproval: true }, { requireActionForChangeRequests: false }),
    );
    const turn = session.send('Is order 7 paid?');
    await session.approve((await nextOf(turn, 'ConfirmationRequested')).actionId, true);
    expect((await allOf(turn)).at(-1)).toMatchObject({ status: 'completed', text: 'One moment.\n\nPaid.' });
    const bodies = model.requests.map(({ body }) => body);
    expect(bodies.map((body) => body['tool_choice'] ?? 'auto')).toEqual(['auto', 'required', 'auto', 'auto']);
    const [whole, required, next, approved] = bodies.map((body) => body['tools'] as readonly object[]);
    expect(required?.length).toBeLessThan(whole?.length ?? 0);
    expect([next, approved]).toEqual([whole, whole]);
  });
});
