import { describe, expect, it } from 'vitest';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { allOf, inProcessHelper, nextOf } from '../support/in-process-helper.ts';
import {
  approvalRequest,
  completed,
  created,
  eventBytes,
  item,
  mcpCall,
  replyWith,
  responseEvents,
  textDelta,
} from '../support/responses-model.ts';
import { answersIn, asking, inputOf, paid, type SentItem, settingsOf, statusesOf } from '../support/hosted-mcp.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { failing, type ModelScript } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

async function helperOn(scripts: readonly ModelScript[], settings: object) {
  const opened = await inProcessHelper({ scripts, settings });
  return { ...opened, session: await opened.helper.session() };
}

describe('hosted MCP servers (contract/hosted-tools.md#mcp-servers)', () => {
  // proves service-2.17-50
  it('are sent to the provider with everything that is set', async () => {
    const server = {
      description: 'Orders and bills.',
      allowedTools: ['find', 'pay'],
      neverRequireApprovalTools: ['find'],
      headers: { authorization: 'Bearer of-the-server' },
    };
    const { session, model, log } = await helperOn([replyWith('r1', [], 'Hi.')], settingsOf(server));
    await allOf(session.send('hello'));
    const { path, body } = await model.request(0);
    expect(path).toBe('/v1/responses');
    expect((body['tools'] as readonly SentItem[]).find(({ type }) => type === 'mcp')).toEqual({
      type: 'mcp',
      server_label: 'erp',
      server_url: 'https://erp.example/mcp',
      server_description: 'Orders and bills.',
      allowed_tools: ['find', 'pay'],
      headers: { authorization: 'Bearer of-the-server' },
      require_approval: { never: { tool_names: ['find'] } },
    });
    expect(JSON.stringify(log.lines)).not.toContain('of-the-server');
  });

  // proves service-2.17-50
  it.each([400, 401, 403, 404, 424, 429, 500])(
    'have headers that no log and no message shows, whatever the provider repeats of them with %i',
    async (status) => {
      const repeating = failing(status, {
        body: {
          error: { message: 'no answer to authorization: key-of-the-server', type: 'x', code: 'key-of-the-server' },
        },
      });
      const headers = { authorization: 'Bearer key-of-the-server' };
      const { session, log } = await helperOn([repeating, repeating, repeating], settingsOf({ headers }));
      const events = await allOf(session.send('hello'));
      expect(events.at(-1)).toMatchObject({ event: 'TurnCompleted', status: 'failed' });
      expect(JSON.stringify([log.lines, events])).not.toContain('key-of-the-server');
    },
  );

  // proves service-2.17-50
  it('have headers that nobody is shown, whatever their tools answer', async () => {
    const answer = 'see https://erp.example/help?page=2: no rights with authorization: Bearer key-of-the-server';
    const failed = mcpCall('mcp_2', 'pay', {
      approval_request_id: 'mcpr_1',
      output: null,
      error: answer,
      status: 'failed',
    });
    const scripts = [
      replyWith('r1', [mcpCall('mcp_1', 'find', { output: answer }), approvalRequest('mcpr_1', 'pay')], 'One moment.'),
      replyWith('r2', [failed], 'It failed.'),
      replyWith('r3', [], 'Bye.'),
    ];
    const server = { headers: { authorization: 'Bearer key-of-the-server' }, neverRequireApprovalTools: ['find'] };
    const { session, model, log } = await helperOn(scripts, settingsOf(server));
    const turn = session.send('hello');
    await session.approve((await nextOf(turn, 'ConfirmationRequested')).actionId, true);
    const events = await allOf(turn);
    expect(events).toContainEqual(expect.objectContaining({ event: 'ErrorOccurred', code: 'action_failed' }));
    await allOf(session.send('bye'));
    const last = model.requests.at(-1)?.body['input'];
    expect(JSON.stringify(last)).toContain('help?page=2: no rights with authorization: ***');
    expect(JSON.stringify([log.lines, events, last])).not.toContain('key-of-the-server');
  });

  // proves service-2.17-60
  it.each([
    ['nothing is set', {}, 'always'],
    ['requireApproval is false', { requireApproval: false }, 'never'],
    ['a tool never asks', { neverRequireApprovalTools: ['a'] }, { never: { tool_names: ['a'] } }],
    ['a tool is in both lists', { neverRequireApprovalTools: ['a'], alwaysRequireApprovalTools: ['a'] }, 'always'],
    [
      'a tool always asks',
      { requireApproval: false, alwaysRequireApprovalTools: ['a'], neverRequireApprovalTools: ['b'] },
      { always: { tool_names: ['a'] }, never: { tool_names: ['b'] } },
    ],
    [
      'the other tools are known',
      { requireApproval: false, alwaysRequireApprovalTools: ['a'], allowedTools: ['a', 'b'] },
      { always: { tool_names: ['a'] }, never: { tool_names: ['b'] } },
    ],
  ])('ask the provider for approvals by their settings: %s', async (_when, server, expected) => {
    const { session, model } = await helperOn([replyWith('r1', [], 'Hi.')], settingsOf(server));
    await allOf(session.send('hello'));
    const { body } = await model.request(0);
    const sent = (body['tools'] as readonly SentItem[]).find(({ type }) => type === 'mcp');
    expect(sent?.['require_approval']).toEqual(expected);
  });

  // proves service-2.17-22, service-2.17-24, service-2.17-52
  it('have calls that need no approval told, and told to the model when it goes on', async () => {
    const found = replyWith(
      'r1',
      [mcpCall('mcp_1', 'find', { arguments: '{"q":"x"}', output: 'Order 7' })],
      'It is 7.',
    );
    const { session, model } = await helperOn(
      [found, replyWith('r2', [], 'Bye.')],
      settingsOf({ requireApproval: false }),
    );
    const events = await allOf(session.send('which?'));
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'ActionExecuting', action: 'mcp-erp-find', title: 'find (erp)' }),
    );
    expect(statusesOf(events)).toEqual(['mcp-erp-find succeeded']);
    expect(events.at(-1)).toMatchObject({
      receipts: [{ action: 'mcp-erp-find', title: 'find (erp)', status: 'succeeded' }],
    });
    expect(events.some(({ event }) => event === 'ErrorOccurred')).toBe(false);
    await allOf(session.send('bye'));
    const [call, output, said] = inputOf(await model.request(1)).slice(-4);
    expect(call).toMatchObject({ type: 'function_call', name: 'mcp-erp-find', arguments: '{"q":"x"}' });
    expect(output).toMatchObject({ type: 'function_call_output', output: '[succeeded] Order 7' });
    expect(said).toMatchObject({ role: 'assistant', content: 'It is 7.' });
  });

  // proves service-2.17-20
  it('have calls told while they run', async () => {
    const call = mcpCall('mcp_1', 'find');
    const over = Promise.withResolvers<undefined>();
    const slow: ModelScript = async (exchange) => {
      const [added, done] = eventBytes(...item(call));
      await exchange.send(eventBytes(created('r1')).join('') + String(added));
      await over.promise;
      await exchange.send([done, ...eventBytes(textDelta('Found.'), completed('r1', [call]))].join(''));
      exchange.end();
    };
    const { session } = await helperOn([slow], settingsOf({ requireApproval: false }));
    const turn = session.send('which?');
    const executing = await nextOf(turn, 'ActionExecuting');
    over.resolve(undefined);
    const done = await nextOf(turn, 'ActionCompleted');
    expect(done).toMatchObject({ callId: executing.callId, action: 'mcp-erp-find', status: 'succeeded' });
    await allOf(turn);
  });

  // proves service-2.17-70
  it('that run a tool without its approval are logged, and the user is told', async () => {
    const { session, log } = await helperOn([replyWith('r1', [mcpCall('mcp_1', 'pay')], 'Paid.')], settingsOf());
    const events = await allOf(session.send('pay'));
    expect(events).toContainEqual(
      expect.objectContaining({ event: 'ErrorOccurred', message: expect.stringContaining('pay (erp)') as unknown }),
    );
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'the provider ran a tool that nobody had approved' }),
    );
  });
});

describe('what the provider may not do (contract/hosted-tools.md#approvals)', () => {
  // proves service-2.17-68
  it.each([
    ['a server that is not configured', approvalRequest('mcpr_1', 'pay', {}, 'bank'), {}],
    ['a tool that is not allowed', approvalRequest('mcpr_1', 'pay'), { allowedTools: ['find'] }],
  ])('is refused without a question, and logged: %s', async (_what, request, server) => {
    const { session, model, log } = await helperOn(
      [replyWith('r1', [request]), replyWith('r2', [], 'No.')],
      settingsOf(server),
    );
    const events = await allOf(session.send('pay'));
    expect(events.some(({ event }) => event === 'ConfirmationRequested')).toBe(false);
    expect(answersIn(await model.request(1))).toMatchObject([{ approval_request_id: 'mcpr_1', approve: false }]);
    expect(log.lines).toContainEqual(
      expect.objectContaining({ message: 'the provider asked for an approval of an unknown tool' }),
    );
  });

  // proves service-2.17-81
  it('is run while its tool is switched off', async () => {
    const killSwitch = { writes: false, tools: ['mcp-erp-pay'] };
    const { session, model } = await helperOn(
      [asking, replyWith('r2', [], 'It is off.')],
      settingsOf({ requireApproval: false }, { killSwitch }),
    );
    const events = await allOf(session.send('pay'));
    expect(statusesOf(events)).toEqual(['mcp-erp-pay refused']);
    const { body } = await model.request(0);
    expect((body['tools'] as readonly SentItem[]).find(({ type }) => type === 'mcp')).toMatchObject({
      require_approval: 'always',
    });
    expect(answersIn(await model.request(1))).toMatchObject([{ approve: false }]);
  });

  // proves service-2.17-80
  it('is offered while writes or a tool of the provider are switched off', async () => {
    const killSwitch = { writes: true, tools: ['WebSearch'] };
    const hostedTools = ['WebSearch', 'CodeInterpreter'];
    const { session, model } = await helperOn(
      [replyWith('r1', [], 'Hi.')],
      settingsOf({}, { killSwitch, hostedTools }),
    );
    await allOf(session.send('hello'));
    const types = ((await model.request(0)).body['tools'] as readonly SentItem[]).map(({ type }) => type);
    expect(types.filter((type) => type !== 'function')).toEqual(['code_interpreter']);
  });
});

describe('several calls of one reply (contract/hosted-tools.md#approvals)', () => {
  const two = replyWith('r1', [approvalRequest('mcpr_1', 'pay'), approvalRequest('mcpr_2', 'ship')]);

  // proves service-2.17-62
  it('are asked side by side, answered in any order, and given in one request', async () => {
    const items = ['ship', 'pay'].map((tool, index) =>
      mcpCall(`mcp_${tool}`, tool, { approval_request_id: `mcpr_${String(2 - index)}` }),
    );
    const { session, model } = await helperOn([two, replyWith('r2', items, 'Both.')], settingsOf());
    const turn = session.send('both');
    const [first, second] = [await nextOf(turn, 'ConfirmationRequested'), await nextOf(turn, 'ConfirmationRequested')];
    await session.approve(second.actionId, true);
    expect(model.requests).toHaveLength(1);
    await session.approve(first.actionId, true);
    expect(statusesOf(await allOf(turn))).toEqual(['mcp-erp-ship succeeded', 'mcp-erp-pay succeeded']);
    expect(answersIn(await model.request(1))).toMatchObject([
      { approval_request_id: 'mcpr_1', approve: true },
      { approval_request_id: 'mcpr_2', approve: true },
    ]);
    expect(model.requests).toHaveLength(2);
  });

  // proves service-2.17-65
  it('are not made when a Stop comes before all are answered', async () => {
    const { session, model } = await helperOn([two], settingsOf());
    const turn = session.send('both');
    const first = await nextOf(turn, 'ConfirmationRequested');
    await nextOf(turn, 'ConfirmationRequested');
    await session.approve(first.actionId, true);
    await nextOf(turn, 'ActionExecuting');
    await session.stop();
    const events = await allOf(turn);
    expect(statusesOf(events).toSorted()).toEqual(['mcp-erp-pay cancelled', 'mcp-erp-ship cancelled']);
    expect(model.requests).toHaveLength(1);
  });

  // proves service-2.17-64
  it('may be declined one by one', async () => {
    const ship = mcpCall('mcp_1', 'ship', { approval_request_id: 'mcpr_2' });
    const { session, model } = await helperOn([two, replyWith('r2', [ship], 'Shipped.')], settingsOf());
    const turn = session.send('both');
    const [first, second] = [await nextOf(turn, 'ConfirmationRequested'), await nextOf(turn, 'ConfirmationRequested')];
    await session.approve(first.actionId, false);
    await session.approve(second.actionId, true);
    expect(statusesOf(await allOf(turn)).toSorted()).toEqual(['mcp-erp-pay declined', 'mcp-erp-ship succeeded']);
    expect(answersIn(await model.request(1))).toMatchObject([{ approve: false }, { approve: true }]);
  });

  // proves service-2.17-62
  it('stand beside calls of this server, whose results go under the ids of the provider', async () => {
    const call = {
      id: 'fc_1',
      type: 'function_call',
      call_id: 'call_of_provider',
      name: 'look',
      arguments: '{"order":7}',
    };
    const request = approvalRequest('mcpr_1', 'pay');
    const mixed = responseEvents(
      created('r1'),
      { type: 'response.output_item.added', output_index: 0, item: { ...call, arguments: '' } },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"order":7}' },
      ...item(request),
      completed('r1', [call, request]),
    );
    const { session, model } = await helperOn([mixed, paid], settingsOf());
    const turn = session.send('look and pay');
    await session.approve((await nextOf(turn, 'ConfirmationRequested')).actionId, true);
    expect(statusesOf(await allOf(turn))).toEqual(expect.arrayContaining(['mcp-erp-pay succeeded']) as unknown);
    expect(inputOf(await model.request(1)).slice(-4)).toEqual([
      call,
      request,
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
      expect.objectContaining({ type: 'function_call_output', call_id: 'call_of_provider' }),
    ]);
  });

  // proves service-2.17-69
  it('need no answer of the user where their tool asks for none, although the provider does', async () => {
    const { session, model } = await helperOn([asking, paid], settingsOf({ requireApproval: false }));
    const events = await allOf(session.send('pay 5'));
    expect(events.some(({ event }) => event === 'ConfirmationRequested')).toBe(false);
    expect(answersIn(await model.request(1))).toMatchObject([{ approve: true }]);
    expect(statusesOf(events)).toEqual(['mcp-erp-pay succeeded']);
  });
});

describe.each(['Blocking', 'Native'] as const)('an approval for the provider (%s)', (hitlMode) => {
  const settings = settingsOf({}, { hitlMode });

  /** Plays the turn up to its question. */
  async function asked(scripts: readonly ModelScript[], more: object = settings) {
    const opened = await helperOn(scripts, more);
    const turn = opened.session.send('pay 5');
    return { ...opened, turn, question: await nextOf(turn, 'ConfirmationRequested') };
  }

  // proves service-2.17-61
  it('is the usual question, which nobody can edit or have remembered', async () => {
    const { question, session, turn } = await asked(
      [asking, paid],
      settingsOf({}, { hitlMode, requireConfirmation: false }),
    );
    expect(question).toMatchObject({
      action: 'mcp-erp-pay',
      title: 'pay (erp)',
      description: 'The provider of the AI model makes this call at erp.',
      arguments: [{ name: 'amount', label: 'amount', value: 5 }],
      reason: 'hosted',
      editable: false,
      canRemember: false,
    });
    await session.approve(question.actionId, true);
    await allOf(turn);
  });

  // proves service-2.17-24, service-2.17-62, service-2.17-63
  it('is given with the next request, after which the call has run', async () => {
    const { question, session, turn, model } = await asked([asking, paid]);
    expect(model.requests).toHaveLength(1);
    await session.approve(question.actionId, true);
    const events = await allOf(turn);
    const sent = await model.request(1);
    expect(inputOf(sent).slice(-2)).toEqual([
      approvalRequest('mcpr_1', 'pay', { amount: 5 }),
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    ]);
    expect(events.map(({ event }) => event).filter((name) => name !== 'TextDelta')).toEqual([
      'ConfirmationResolved',
      'ActionExecuting',
      'ActionCompleted',
      'TurnCompleted',
    ]);
    expect(statusesOf(events)).toEqual(['mcp-erp-pay succeeded']);
    expect(events.at(-1)).toMatchObject({
      status: 'completed',
      text: 'One moment.\n\nPaid.',
      receipts: [{ action: 'mcp-erp-pay', title: 'pay (erp)', status: 'succeeded' }],
    });
    expect(model.requests).toHaveLength(2);
  });

  // proves service-2.17-62
  it('is told to later requests as a call with its result, and not given again', async () => {
    const opened = await asked([asking, paid, replyWith('r3', [], 'Bye.')]);
    await opened.session.approve(opened.question.actionId, true);
    await allOf(opened.turn);
    await allOf(opened.session.send('bye'));
    const sent = await opened.model.request(2);
    expect(answersIn(sent)).toEqual([]);
    expect(JSON.stringify(inputOf(sent))).toContain('[succeeded] Paid 5.');
  });

  // proves service-2.17-64
  it('that is declined is answered with the words that forbid another reason', async () => {
    const { question, session, turn, model } = await asked([asking, replyWith('r2', [], 'You declined.')]);
    await session.approve(question.actionId, false);
    const events = await allOf(turn);
    expect(statusesOf(events)).toEqual(['mcp-erp-pay declined']);
    const [answer] = answersIn(await model.request(1));
    expect(answer).toMatchObject({ approval_request_id: 'mcpr_1', approve: false });
    expect(String(answer?.['reason'])).toContain('The user declined this action. Nothing was changed.');
  });

  // proves service-2.17-64
  it('that nobody answers in time is not given', async () => {
    const { turn, model } = await asked(
      [asking, replyWith('r2', [], 'Nobody answered.')],
      settingsOf({}, { hitlMode, confirmationTimeout: '50ms' }),
    );
    const events = await allOf(turn);
    expect(events).toContainEqual(expect.objectContaining({ event: 'ConfirmationResolved', outcome: 'expired' }));
    expect(answersIn(await model.request(1))).toMatchObject([{ approve: false }]);
  });

  // proves service-2.17-65
  it('that is open at a Stop is never given', async () => {
    const { session, turn, model } = await asked([asking]);
    await session.stop();
    const events = await allOf(turn);
    expect(events.at(-1)).toMatchObject({ status: 'stopped' });
    expect(statusesOf(events)).toEqual(['mcp-erp-pay cancelled']);
    expect(model.requests).toHaveLength(1);
  });

  // proves service-2.17-66
  it('whose reply breaks off leaves the call unknown, and is not given again', async () => {
    const broken = responseEvents(created('r2'), textDelta('I '));
    const { question, session, turn, model } = await asked([asking, broken, broken]);
    await session.approve(question.actionId, true);
    const events = await allOf(turn);
    expect(statusesOf(events)).toEqual(['mcp-erp-pay unknown']);
    expect(events.at(-1)).toMatchObject({ status: 'failed', code: 'model_unavailable' });
    expect(model.requests).toHaveLength(2);
  });

  // proves service-2.17-66
  it('is not sent again where the provider does not answer', async () => {
    const { question, session, turn, model } = await asked([asking, failing(503), paid]);
    await session.approve(question.actionId, true);
    const events = await allOf(turn);
    expect(statusesOf(events)).toEqual(['mcp-erp-pay unknown']);
    expect(model.requests).toHaveLength(2);
  });

  // proves service-2.17-67
  it('whose call fails at its server has failed', async () => {
    const failed = mcpCall('mcp_1', 'pay', { approval_request_id: 'mcpr_1', status: 'failed', error: 'no money' });
    const opened = await asked([asking, replyWith('r2', [failed], 'It failed.'), replyWith('r3', [], 'Bye.')]);
    await opened.session.approve(opened.question.actionId, true);
    expect(statusesOf(await allOf(opened.turn))).toEqual(['mcp-erp-pay failed']);
    await allOf(opened.session.send('bye'));
    expect(JSON.stringify(inputOf(await opened.model.request(2)))).toContain('no money');
  });

  // proves service-2.17-67
  it('whose call the provider does not make has failed', async () => {
    const { question, session, turn } = await asked([asking, replyWith('r2', [], 'Hm.')]);
    await session.approve(question.actionId, true);
    expect(statusesOf(await allOf(turn))).toEqual(['mcp-erp-pay failed']);
  });
});

describe('an approval for the provider over HTTP (contract/hosted-tools.md#approvals)', () => {
  const approve = (url: string, actionId: unknown): Promise<Response> =>
    fetch(`${url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId, approved: true }),
    });

  // proves service-2.17-61
  it('is answered on the hub', async () => {
    const { url, model } = await scriptedServer({ scripts: [asking, paid], settings: settingsOf() });
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    client.call('SendMessage', '1', 'pay 5');
    const question = await client.event('ConfirmationRequested');
    expect(question).toMatchObject({ reason: 'hosted', editable: false, canRemember: false });
    expect((await approve(url, question['actionId'])).status).toBe(200);
    expect(await client.event('ActionCompleted')).toMatchObject({ action: 'mcp-erp-pay', status: 'succeeded' });
    await client.result('1');
    client.socket.close();
    expect(answersIn(await model.request(1))).toMatchObject([{ approve: true }]);
  });

  // proves service-2.17-63
  it('is given, and told, where calls of the model are traced', async () => {
    const otlp = await startOtlpReceiver();
    const traced = { enableObservability: true, telemetry: { otlpEndpoint: otlp.url } };
    const { session } = await helperOn([asking, paid], settingsOf({}, traced));
    const turn = session.send('pay 5');
    await session.approve((await nextOf(turn, 'ConfirmationRequested')).actionId, true);
    expect(statusesOf(await allOf(turn))).toEqual(['mcp-erp-pay succeeded']);
  });

  // proves service-2.17-61
  it('is answered over server-sent events', async () => {
    const { url, model } = await scriptedServer({ scripts: [asking, paid], settings: settingsOf() });
    const stream = await openSse(`${url}/helper/chat?message=pay`);
    const { data } = await stream.next('confirmation');
    expect(data).toMatchObject({ reason: 'hosted', title: 'pay (erp)' });
    expect((await approve(url, data?.['actionId'])).status).toBe(200);
    expect((await stream.next('end')).data).toMatchObject({ status: 'completed', text: 'One moment.\n\nPaid.' });
    expect((await approve(url, data?.['actionId'])).status).toBe(404);
    expect(answersIn(await model.request(1))).toHaveLength(1);
  });
});

describe('a saved conversation with a question of the provider (contract/hosted-tools.md#restarts)', () => {
  // proves service-2.17-93
  it('is asked again where it is restored, and the approval is given once', async () => {
    const { helper, session, model } = await helperOn([asking, paid], settingsOf({}, { hitlMode: 'Native' }));
    const turn = session.send('pay 5');
    const question = await nextOf(turn, 'ConfirmationRequested');
    const snapshot = await session.snapshot();
    const other = await helper.session();
    const { openConfirmations, events } = await other.restore(snapshot);
    const [again] = openConfirmations;
    expect(again).toMatchObject({ callId: question.callId, reason: 'hosted' });
    await other.approve(again?.actionId ?? '', true);
    expect(statusesOf(await allOf(events))).toEqual(['mcp-erp-pay succeeded']);
    await session.approve(question.actionId, true).catch(() => undefined);
    await allOf(turn);
    const given = model.requests.flatMap(answersIn).filter(({ approve }) => approve === true);
    expect(given).toHaveLength(1);
  });
});
