import { describe, expect, it } from 'vitest';
import { packageVersion } from '../../src/app/own-package.ts';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { calling, failing, type ModelScript, saying } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { answer, chat, confirmed, ended, sendAnswer, spanNamed, tracedServer } from '../support/traced-server.ts';

describe('a turn that is traced (contract/operations.md#traces)', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const parent = 'b7ad6b7169203331';

  // proves wire-6-40, wire-6-42
  it('is a tree of spans of its prompt, model calls, tool call and the wait for the answer', async () => {
    const started = await tracedServer(confirmed);
    const turn = await chat(started.url, { traceparent: `00-${traceId}-${parent}-01` });
    await answer(started.url, turn, true);
    const spans = await ended(started);
    const root = spanNamed(spans, 'invoke_agent coordinator');
    const tool = spanNamed(spans, 'execute_tool cancel_order');
    const question = spanNamed(spans, 'confirmation cancel_order');
    const [first, second] = spans.filter((span) => span.name === 'chat scripted');
    if (first === undefined || second === undefined) throw new Error('two model calls were expected');
    expect(spans.map(({ name }) => name).toSorted()).toEqual(
      [root, tool, question, first, second]
        .map(({ name }) => name)
        .concat('prompt message')
        .toSorted(),
    );
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
    expect(root.parentSpanId).toBe(parent);
    for (const below of [tool, first, second, spanNamed(spans, 'prompt message')])
      expect(below.parentSpanId).toBe(root.spanId);
    expect(question.parentSpanId).toBe(tool.spanId);
    expect(question.endMs).toBeLessThanOrEqual(tool.endMs);
    expect([root.kind, tool.kind, question.kind, first.kind, second.kind]).toEqual([1, 1, 1, 3, 3]);
    expect(root.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'coordinator',
      'gen_ai.conversation.id': expect.any(String) as string,
      'helper.turn.id': turn.headers['x-turn-id'],
      'helper.channel': 'sse',
      'helper.turn.status': 'completed',
    });
    expect(first.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'scripted',
      'gen_ai.request.stream': true,
      'gen_ai.response.model': 'scripted',
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 5,
    });
    expect(second.attributes['gen_ai.response.finish_reasons']).toEqual(['stop']);
    const toFirstChunk = Number(second.attributes['gen_ai.response.time_to_first_chunk']);
    expect(toFirstChunk).toBeGreaterThan(0);
    expect(toFirstChunk * 1000).toBeLessThanOrEqual(second.endMs - second.startMs + 0.01);
    expect(tool.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'cancel_order',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': expect.any(String) as string,
      'helper.action.status': 'succeeded',
    });
    expect(question.attributes).toMatchObject({
      'helper.confirmation.outcome': 'approved',
      'helper.confirmation.by': 'user',
    });
    expect(spans.some(({ isError }) => isError)).toBe(false);
    expect(root.scope).toBe('HelperAgent');
    expect(root.resource).toMatchObject({ 'service.name': 'helper', 'service.version': packageVersion() });
  });

  // proves wire-6-56
  it('shows the checks of its message and reply with their verdicts, and each source of documents', async () => {
    // The questions about the message are asked side by side.
    const byQuestion: ModelScript = async (exchange) => {
      const asked = JSON.stringify(exchange.request.body);
      if (asked.includes('unrelated to the application')) await saying('{"answer": false}')(exchange);
      else if (asked.includes('You check messages')) await saying('{"safe": true}')(exchange);
      else if (asked.includes('You check replies')) await saying('{"safe": false}')(exchange);
      else await saying('The reply.')(exchange);
    };
    const scripts = Array.from({ length: 4 }, () => byQuestion);
    const checks = { enableSafetyCheck: true, refuseOutOfScope: true, enableOutputSafetyCheck: true };
    const help = await startCallback({ version: 1, hooks: ['search'] });
    help.answer = json({ documents: [{ content: 'Walnuts are nuts.', score: 9 }] });
    const ragSources = [{ type: 'http', name: 'help', url: help.url, secret: callbackSecret }];
    const started = await tracedServer(scripts, { ...checks, useRag: true, ragSources });
    await (await chat(started.url)).next('end');
    const spans = await ended(started);
    const root = spanNamed(spans, 'invoke_agent coordinator');
    const verdictOf = (guardrail: string) => {
      const { kind, parentSpanId, attributes } = spanNamed(spans, `apply_guardrail ${guardrail}`);
      expect([kind, parentSpanId]).toEqual([1, root.spanId]);
      return attributes;
    };
    const operation = { 'gen_ai.operation.name': 'apply_guardrail' };
    expect(verdictOf('input')).toMatchObject({ ...operation, 'helper.guardrail.verdict': 'safe' });
    expect(verdictOf('scope')).toMatchObject({ ...operation, 'helper.guardrail.verdict': 'in_scope' });
    expect(verdictOf('output')).toMatchObject({ ...operation, 'helper.guardrail.verdict': 'unsafe' });
    const retrieval = spanNamed(spans, 'retrieval help');
    expect(retrieval.parentSpanId).toBe(spanNamed(spans, 'prompt documents').spanId);
    expect([retrieval.kind, retrieval.attributes]).toEqual([
      3,
      {
        'gen_ai.operation.name': 'retrieval',
        'gen_ai.data_source.id': 'help',
        'helper.retrieval.documents': 1,
      },
    ]);
  });

  // proves wire-6-42
  it('goes on in the model’s server and in the callback, as children of the spans that stand for them', async () => {
    const started = await tracedServer(confirmed);
    const turn = await chat(started.url);
    await answer(started.url, turn, true);
    const spans = await ended(started);
    const tool = spanNamed(spans, 'execute_tool cancel_order');
    const [first, second] = spans.filter((span) => span.name === 'chat scripted');
    const sent = started.model.requests.map(({ headers }) => headers['traceparent']);
    expect(sent).toEqual([first, second].map((span) => `00-${tool.traceId}-${String(span?.spanId)}-01`));
    expect(started.callback.posts()[0]?.headers['traceparent']).toBe(`00-${tool.traceId}-${tool.spanId}-01`);
  });

  // proves wire-6-44
  it('names its trace in its log lines, and no other line does', async () => {
    const started = await tracedServer([failing(503), ...confirmed]);
    await answer(started.url, await chat(started.url), true);
    const { traceId: trace } = spanNamed(await ended(started), 'invoke_agent coordinator');
    const lines = started.server
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const traced = lines.filter((line) => line.includes(`"trace_id":"${trace}"`));
    for (const text of ['model call retried', 'turn ended', '"what":"approved"'])
      expect(traced.filter((line) => line.includes(text))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('trace_id'))).toEqual(traced);
    expect(lines.length).toBeGreaterThan(traced.length);
  });

  // proves wire-6-40
  it('shows a decline, a refusal and a failure as what they are', async () => {
    const { url, ...started } = await tracedServer([
      calling({ name: 'cancel_order', arguments: { id: 7 } }),
      saying('Well.'),
      calling({ name: 'no_such_tool', arguments: {} }),
      saying('Well.'),
      failing(400),
    ]);
    await answer(url, await chat(url), false);
    await (await chat(url)).next('end');
    await (await chat(url)).next('end');
    const spans = await ended(started);
    const declined = spanNamed(spans, 'execute_tool cancel_order');
    expect([declined.isError, declined.attributes['helper.action.status']]).toEqual([false, 'declined']);
    const refused = spanNamed(spans, 'execute_tool no_such_tool');
    expect([refused.isError, refused.attributes['error.type']]).toEqual([
      true,
      refused.attributes['helper.action.status'],
    ]);
    const failed = spans.filter((span) => span.name === 'invoke_agent coordinator').find(({ isError }) => isError);
    const call = spans.find((span) => span.name === 'chat scripted' && span.isError);
    expect(failed?.attributes).toMatchObject({ 'helper.turn.status': 'failed' });
    expect(call?.attributes['error.type']).toBe(failed?.attributes['error.type']);
  });

  // proves wire-6-43
  it('is a trace of its own without a traceparent', async () => {
    const started = await tracedServer([saying('Hello.'), saying('Hello.')]);
    const first = await chat(started.url);
    await first.next('end');
    await (await chat(started.url)).next('end');
    const roots = (await ended(started)).filter((span) => span.name === 'invoke_agent coordinator');
    expect(new Set(roots.map((root) => root.traceId)).size).toBe(2);
    expect(roots.map((root) => root.parentSpanId)).toEqual(['', '']);
  });

  // proves wire-1-71
  it('goes on in the trace that a hub call names among its headers', async () => {
    const started = await tracedServer([saying('Hello.'), saying('Hello.')]);
    const client = await RawHubClient.connect(`${started.url}/helper-hub`);
    const headers = { traceparent: `00-${traceId}-${parent}-01` };
    client.say({ type: 1, target: 'SendMessage', invocationId: '1', arguments: ['Hi'], headers });
    await client.result('1');
    client.call('SetPage', '2', { name: 'orders' });
    client.call('SendMessage', '3', 'Hi');
    await client.result('3');
    client.socket.close();
    const spans = await ended(started);
    const roots = spans.filter((span) => span.name === 'invoke_agent coordinator');
    expect(roots.map((root) => root.attributes['helper.channel'])).toEqual(['hub', 'hub']);
    expect(roots.map((root) => root.parentSpanId)).toEqual([parent, '']);
    expect(roots[0]?.traceId).toBe(traceId);
    expect(roots[1]?.traceId).not.toBe(traceId);
    // The page is part of the prompt only in the second turn.
    const pages = spans.filter((span) => span.name === 'prompt page').map((span) => span.parentSpanId);
    expect(pages).toEqual([roots[1]?.spanId]);
  });

  // proves wire-6-43
  it.each([
    ['a trace of its own', undefined],
    ['the trace that it came with', `00-${traceId}-${parent}-01`],
  ])('stays in %s when a restart lies between the question and its answer', async (_, traceparent) => {
    const started = await tracedServer(confirmed, { hitlMode: 'Native' });
    const turn = await chat(started.url, traceparent === undefined ? {} : { traceparent });
    const { data } = await turn.next('confirmation');
    const before = await ended(started);
    const next = started.again();
    const url = await next.url;
    await sendAnswer(url, data?.['actionId'], true);
    const resumed = await openSse(`${url}/helper/chat`, {
      headers: { 'last-event-id': `${String(turn.headers['x-turn-id'])}:0` },
    });
    await resumed.next('end');
    expect(await next.kill('SIGTERM')).toBe(0);
    const after = started.otlp.spans().slice(before.length);
    const [first, second] = [before, after].map((spans) => spanNamed(spans, 'invoke_agent coordinator'));
    const roots = [first, second].filter((root) => root !== undefined);
    expect(new Set([...before, ...after].map((span) => span.traceId)).size).toBe(1);
    expect(first?.parentSpanId).toBe(traceparent === undefined ? '' : parent);
    expect(second?.parentSpanId).toBe(first?.spanId);
    if (traceparent !== undefined) expect(first?.traceId).toBe(traceId);
    expect(roots.map(({ attributes }) => attributes['helper.turn.continued'])).toEqual([undefined, true]);
    expect(roots.map(({ attributes }) => attributes['helper.turn.status'])).toEqual([undefined, 'completed']);
    const question = spanNamed(after, 'confirmation cancel_order');
    expect(question.attributes['helper.confirmation.outcome']).toBe('approved');
    const tool = spanNamed(after, 'execute_tool cancel_order');
    expect(question.parentSpanId).toBe(tool.spanId);
    expect(started.callback.posts()[0]?.headers['traceparent']).toBe(`00-${tool.traceId}-${tool.spanId}-01`);
  });

  // proves wire-6-40
  it('follows the model that a reload puts in the place of another', async () => {
    const started = await tracedServer([saying('Hello.'), saying('Hello.')]);
    await (await chat(started.url)).next('end');
    const { url: baseUrl } = started.model;
    started.write({ models: { main: { provider: 'openai', baseUrl, model: 'another', apiKey: 'none' } } });
    process.kill(started.server.pid, 'SIGHUP');
    await expect.poll(started.server.printed).toContain('the configuration was read again');
    await (await chat(started.url)).next('end');
    const calls = (await ended(started)).map(({ name }) => name).filter((name) => name.startsWith('chat '));
    expect(calls).toEqual(['chat scripted', 'chat another']);
  });
});
