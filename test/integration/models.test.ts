import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ToolDeclaration } from '../../src/core/ports/chat-model.ts';
import { PausableFlow } from '../../src/core/turn/live/read-flow.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelSettings as settings, OpenedModels, secretKey as key } from '../support/opened-models.ts';
import {
  calling,
  chattering,
  chunk,
  cutAfter,
  ending,
  failing,
  hangingAfter,
  type ModelScript,
  saying,
  sending,
  startScriptedModel,
} from '../support/scripted-model.ts';

const tools: readonly ToolDeclaration[] = [
  {
    name: 'get_order',
    description: 'Returns an order.',
    parameters: { type: 'object', properties: { id: { type: 'integer' } } },
  },
];

const models = new OpenedModels();
afterEach(() => models.close());
const server = models.server.bind(models);
const openOn = models.openOn.bind(models);

describe('a model on the OpenAI wire (contract/models.md)', () => {
  it('streams a reply, and reports usage, model and end', async () => {
    const scripted = await server(saying('Guten ', 'Tag 😀 "Welt"\n', 'ende'));
    const sink = new CollectedText();
    const reply = await (await openOn(scripted)).run(modelRequest(), sink);
    expect(reply).toEqual({
      text: 'Guten Tag 😀 "Welt"\nende',
      toolCalls: [],
      usage: { inputTokens: 12, outputTokens: 5 },
      model: 'scripted',
      finish: 'stop',
    });
    expect(sink.pieces.length).toBeLessThanOrEqual(3);
    expect(sink.unescaped).toBe(reply.text);
  });

  it('sends what the wire wants', async () => {
    const scripted = await server(saying('OK'));
    const model = await openOn(scripted, {
      temperature: 0.2,
      maxOutputTokens: 100,
      headers: { 'X-Team': 'orders' },
      options: { top_p: 0.5 },
    });
    const messages = [
      { role: 'user', text: 'Where is 1?' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'get_order', arguments: '{"id":1}' }] },
      { role: 'tool', callId: 'a', name: 'get_order', text: '[succeeded] {}' },
      { role: 'assistant', text: 'Here.', toolCalls: [{ id: 'b', name: 'get_order', arguments: '{broken' }] },
    ] as const;
    await model.run(modelRequest({ messages, tools, toolChoice: 'none' }), new CollectedText());
    const request = await scripted.request(0);
    expect(request.path).toBe('/v1/chat/completions');
    expect(request.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'x-team': 'orders',
      'content-type': 'application/json',
    });
    expect(request.body).toEqual({
      model: 'scripted',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: 100,
      top_p: 0.5,
      tools: [{ type: 'function', function: { ...tools[0] } }],
      tool_choice: 'none',
      messages: [
        { role: 'system', content: 'You help.' },
        { role: 'user', content: 'Where is 1?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_order', arguments: '{"id":1}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '[succeeded] {}' },
        {
          role: 'assistant',
          content: 'Here.',
          tool_calls: [{ id: 'b', type: 'function', function: { name: 'get_order', arguments: '{}' } }],
        },
      ],
    });
  });

  it('speaks to an Azure deployment, with its own key header and version', async () => {
    const scripted = await server(saying('OK'));
    const azure = { provider: 'azure', endpoint: scripted.origin, deployment: 'gpt five', apiVersion: '2024-10-21' };
    const model = await models.open({ main: settings({ ...azure, model: undefined, maxOutputTokens: 9 }) });
    await model.run(modelRequest(), new CollectedText());
    const request = await scripted.request(0);
    expect(request.path).toBe('/openai/deployments/gpt%20five/chat/completions?api-version=2024-10-21');
    expect(request.headers['api-key']).toBe(key);
    expect(request.headers['authorization']).toBeUndefined();
    expect(request.body['max_completion_tokens']).toBe(9);
    expect(model).toMatchObject({ model: 'gpt five', provider: 'azure' });
  });

  it('sends no key to a server that wants none', async () => {
    const scripted = await server(saying('OK'));
    await (await openOn(scripted, { apiKey: 'none' })).run(modelRequest(), new CollectedText());
    expect((await scripted.request(0)).headers['authorization']).toBeUndefined();
  });

  it('assembles parallel tool calls, broken arguments included', async () => {
    const scripted = await server(
      calling({ name: 'get_order', arguments: { id: 1001 } }, { name: 'get_order', arguments: '{"id": 10' }),
    );
    const sink = new CollectedText();
    const reply = await (await openOn(scripted)).run(modelRequest({ tools }), sink);
    expect(reply.finish).toBe('tool-calls');
    expect(reply.toolCalls).toEqual([
      { id: 'call_1', name: 'get_order', arguments: '{"id":1001}' },
      { id: 'call_2', name: 'get_order', arguments: '{"id": 10' },
    ]);
    expect(sink.pieces).toEqual([]);
  });

  // proves wire-10-04
  it('drops the calls of a reply that was cut at the length limit: half a call must not run', async () => {
    const half = { index: 0, id: 'a', function: { name: 'get_order', arguments: '{"id":1}' } };
    const reasons = ['length', 'max_tokens', 'MAX_TOKENS', 'model_length'];
    const scripted = await server(...reasons.map((reason) => sending(chunk({ tool_calls: [half] }) + ending(reason))));
    const model = await openOn(scripted);
    for (const reason of reasons) {
      const reply = await model.run(modelRequest({ tools }), new CollectedText());
      expect(reply, reason).toMatchObject({ toolCalls: [], finish: 'length' });
    }
  });

  it('needs no end mark after a finish reason, and no finish reason before an end mark', async () => {
    const scripted = await server(
      sending(chunk({ content: 'one' }), chunk({}, { finish: 'stop' })),
      sending(chunk({ content: 'two' }), 'data: [DONE]\n\n'),
    );
    const model = await openOn(scripted);
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('one');
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('two');
  });

  it('passes over reasoning, and reads text that comes in lists', async () => {
    const scripted = await server(
      sending(
        chunk({ reasoning_content: 'hmm', content: null }),
        chunk({
          content: [
            { type: 'thinking', thinking: [] },
            { type: 'text', text: 'yes' },
          ],
        }),
        ending(),
      ),
    );
    expect((await (await openOn(scripted)).run(modelRequest(), new CollectedText())).text).toBe('yes');
  });

  it('asks again without stream_options when the server does not know them, and never again with them', async () => {
    const unknown = failing(400, { body: { error: { message: 'Unrecognized request argument: stream_options' } } });
    const scripted = await server(unknown, saying('one'), saying('two'));
    const model = await openOn(scripted);
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('one');
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('two');
    expect(scripted.requests.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false]);
  });

  // proves configuration-3-93, configuration-3-98
  it('asks again without a field for each of several requests that are refused side by side', async () => {
    const refused = (field: string): ModelScript =>
      failing(400, { body: { error: { message: `${field} is not known`, param: field } } });
    const { promise: allAreHere, resolve } = Promise.withResolvers<undefined>();
    const script: ModelScript = async (exchange) => {
      const { body } = exchange.request;
      // All of them are under way before the first one is refused.
      if (scripted.requests.length === 3) resolve(undefined);
      await allAreHere;
      if ('stream_options' in body) return refused('stream_options')(exchange);
      if ('max_tokens' in body) return refused('max_tokens')(exchange);
      if (JSON.stringify(body).includes('reasoning_content')) return refused('reasoning_content')(exchange);
      // The last of them fails for another reason, and takes back nothing.
      if (JSON.stringify(body).includes('question 2')) return failing(400)(exchange);
      return saying('one')(exchange);
    };
    const scripted = await server(...Array.from({ length: 40 }, () => script));
    const model = await openOn(scripted, { maxOutputTokens: 9 });
    const asked = (index: number) => {
      const extras = {
        of: `${scripted.url}/chat/completions scripted`,
        content: { message: { reasoning_content: 'Hm' } },
      };
      const thinking = { role: 'assistant', text: 'Hi', toolCalls: [], extras } as const;
      const messages = [{ role: 'user', text: `question ${String(index)}` }, thinking] as const;
      return model.run(modelRequest({ messages }), new CollectedText());
    };
    const replies = await Promise.allSettled([0, 1, 2].map(asked));
    expect(replies.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    const before = scripted.requests.length;
    expect((await asked(3)).text).toBe('one');
    expect(scripted.requests).toHaveLength(before + 1);
  });

  // proves configuration-3-98
  it.each([
    ['in its words', (text: string) => ({ error: { message: `Invalid. Received Messages=[{"content": "${text}"}]` } })],
    ['in a member of its own', (text: string) => ({ detail: [{ type: 'value_error', input: text }] })],
  ])('changes nothing for others because a refusal repeats what a user has written, %s', async (_place, body) => {
    const text = 'What are stream_options, max_tokens and safe_prompt? Is reasoning_content required?';
    const thinking = { role: 'assistant', text: 'Hi', toolCalls: [] } as const;
    const script: ModelScript = (exchange) =>
      JSON.stringify(exchange.request.body).includes(text)
        ? failing(400, { body: body(text) })(exchange)
        : saying('one')(exchange);
    const scripted = await server(...Array.from({ length: 40 }, () => script));
    const model = await openOn(scripted, { maxOutputTokens: 9, options: { safe_prompt: true } });
    const asked = [{ role: 'user', text: 'Hi' }, thinking, { role: 'user', text: 'And?' }] as const;
    await model.run(modelRequest({ messages: asked }), new CollectedText());
    for (let times = 0; times < 3; times += 1) {
      const messages = [{ role: 'user', text }] as const;
      await expect(model.run(modelRequest({ messages }), new CollectedText())).rejects.toThrow(/answered 400/);
    }
    await model.run(modelRequest({ messages: asked }), new CollectedText());
    expect(scripted.requests.at(-1)?.body).toEqual(scripted.requests[0]?.body);
  });

  it('is at most one sink call per read and no LangChain message for 200 deltas (docs/architecture.md)', async () => {
    const words = Array.from({ length: 200 }, (_, index) => `w${String(index)} `);
    const scripted = await server(saying(...words));
    const parse = vi.spyOn(JSON, 'parse');
    const sink = new CollectedText();
    const model = await openOn(scripted);
    // The test's own server also parses JSON in this process. Only the lines of a reply are counted.
    const isChunk = (text: string): boolean => text.includes('chat.completion.chunk');
    const reply = await model.run(modelRequest(), sink);
    const parsed = parse.mock.calls.filter(([text]) => isChunk(text)).length;
    parse.mockRestore();
    // The reply came in a few reads; the first text line of a form is handed on by itself.
    expect(sink.pieces.length).toBeLessThan(20);
    expect(reply.text).toBe(words.join(''));
    expect(parsed).toBeLessThanOrEqual(6);
  });
});

describe('a model that fails (contract/models.md)', () => {
  const never = { retryAfterMs: undefined };
  it.each([
    ['400', failing(400), { code: 'model_misconfigured', transient: false, ...never }],
    ['401', failing(401), { code: 'model_unavailable', transient: false, ...never }],
    ['a redirect', failing(302, { headers: { location: '/' } }), { code: 'model_misconfigured', transient: false }],
    ['408', failing(408), { code: 'model_unavailable', transient: true }],
    [
      '429 that names a time',
      failing(429, { headers: { 'retry-after': '3' } }),
      { transient: true, retryAfterMs: 3_000 },
    ],
    [
      '429 for an empty account',
      failing(429, { body: { error: { code: 'insufficient_quota' } } }),
      { transient: false },
    ],
    ['500 with a page instead of JSON', failing(500, { body: '<html>oops</html>' }), { transient: true }],
    [
      'a refusal of the content filter',
      failing(400, { body: { error: { code: 'content_filter' } } }),
      { code: 'model_refused' },
    ],
    ['an end without a reason', sending(chunk({ role: 'assistant' })), { code: 'model_unavailable', transient: true }],
    ['an answer that is no event stream', sending('<html></html>'), { code: 'model_unavailable', transient: true }],
    ['a cut before anything', cutAfter(''), { code: 'model_unavailable', transient: true }],
    ['a cut after the first token', cutAfter('Hel'), { code: 'model_unavailable', transient: false }],
    ['a broken JSON line', sending('data: {"choices":[\n\n'), { code: 'model_unavailable', transient: true }],
    ['an error in the stream', sending('data: {"error":{"message":"overloaded"}}\n\n'), { transient: true }],
    [
      'an error after the first token',
      sending(chunk({ content: 'a' }), 'data: {"error":"x"}\n\n'),
      { transient: false },
    ],
    ['a refusal', sending(chunk({ refusal: 'I cannot' })), { code: 'model_refused', transient: false }],
    [
      'an end by the content filter',
      sending(chunk({ content: 'a' }), ending('content_filter')),
      { code: 'model_refused' },
    ],
    ['an end for safety', sending(ending('SAFETY')), { code: 'model_refused', transient: false }],
    ['an end by a fault', sending(ending('error')), { code: 'model_unavailable', transient: true }],
    [
      'an end by a fault after the first token',
      sending(chunk({ content: 'a' }), ending('insufficient_system_resource')),
      { code: 'model_unavailable', transient: false },
    ],
    // proves wire-10-04
    ['a cut tool call', sending(chunk({ tool_calls: [{ index: 0, function: { name: 'x' } }] })), { transient: false }],
  ])('%s', async (_title, script, expected) => {
    const scripted = await server(script, saying('next'));
    const model = await openOn(scripted);
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      name: 'ModelError',
      ...expected,
    });
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('next');
  });

  it.each([
    // proves configuration-3-02
    ['before the first byte', hangingAfter('')],
    ['in the middle of the reply', hangingAfter('Hel')],
  ])('is given up after its longest silence %s, and its socket is closed', async (_title, script) => {
    const scripted = await server(script);
    const model = await openOn(scripted, { timeout: 80 });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_timeout',
      transient: false,
    });
    expect((await (await scripted.request(0)).closed).early).toBe(true);
  });

  it('is unavailable when nobody listens', async () => {
    const scripted = await startScriptedModel();
    await scripted.close();
    const model = await openOn(scripted);
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      transient: true,
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it('never has the key in its message, and only the beginning of a long one', async () => {
    const scripted = await server(
      failing(401, { body: { error: { message: `bad key ${key} ${'x'.repeat(5_000)}` } } }),
    );
    const model = await openOn(scripted);
    const error: unknown = await model.run(modelRequest(), new CollectedText()).catch((reason: unknown) => reason);
    expect(String(error)).toContain('bad key ***');
    expect(String(error)).not.toContain(key);
    expect(String(error).length).toBeLessThan(700);
  });

  it('does not wait for the rest of an error body: the status says enough', async () => {
    const scripted = await server(async (exchange) => {
      exchange.head(503, { 'retry-after': '2' });
      while (!exchange.isClosed) {
        await exchange.send(' ');
        await delay(50);
      }
    });
    const model = await openOn(scripted, { timeout: 60_000 });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      transient: true,
      retryAfterMs: 2_000,
    });
    expect((await (await scripted.request(0)).closed).early).toBe(true);
  });

  it('does not read an endless error body', async () => {
    const scripted = await server(async (exchange) => {
      exchange.head(500);
      for (let sent = 0; sent < 64; sent += 1) await exchange.send('x'.repeat(16 * 1024));
    });
    const model = await openOn(scripted);
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ transient: true });
    expect((await (await scripted.request(0)).closed).early).toBe(true);
  });
});

describe('a call that is stopped (docs/architecture.md)', () => {
  /** Longer than a test may take. */
  const unlimited = { timeout: 600_000 };

  it('closes the socket at once and rejects with the reason', async () => {
    const scripted = await server(hangingAfter('Hello'));
    const model = await openOn(scripted, unlimited);
    const stop = new AbortController();
    const sink = new CollectedText();
    const run = model.run(modelRequest({ signal: stop.signal }), sink);
    await sink.first;
    const reason = new Error('stopped by the user');
    stop.abort(reason);
    await expect(run).rejects.toBe(reason);
    const closed = await (await scripted.request(0)).closed;
    expect(closed.early).toBe(true);
  });

  it('closes the socket before the first byte too', async () => {
    const scripted = await server(hangingAfter(''));
    const model = await openOn(scripted, unlimited);
    const stop = new AbortController();
    const run = model.run(modelRequest({ signal: stop.signal }), new CollectedText());
    const request = await scripted.request(0);
    stop.abort(new Error('stop'));
    await expect(run).rejects.toThrow('stop');
    expect((await request.closed).early).toBe(true);
  });

  it('sends nothing when it was stopped before', async () => {
    const scripted = await server();
    const model = await openOn(scripted);
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(model.run(modelRequest({ signal }), new CollectedText())).rejects.toThrow('too late');
    expect(scripted.requests).toEqual([]);
  });

  it('closes the socket also while the reader holds the model back', async () => {
    const scripted = await server(chattering);
    const model = await openOn(scripted, unlimited);
    const flow = new PausableFlow();
    flow.setPaused(true);
    const stop = new AbortController();
    const sink = new CollectedText();
    const run = model.run(modelRequest({ signal: stop.signal, flow }), sink);
    await sink.first;
    stop.abort(new Error('stop'));
    await expect(run).rejects.toThrow('stop');
    expect((await (await scripted.request(0)).closed).early).toBe(true);
  });

  it('keeps a reply that ended while the reader held the model back', async () => {
    const words = Array.from({ length: 500 }, (_, index) => `word${String(index)} `);
    const scripted = await server(saying(...words));
    const model = await openOn(scripted);
    const flow = new PausableFlow();
    flow.setPaused(true);
    const sink = new CollectedText();
    const run = model.run(modelRequest({ flow }), sink);
    await sink.first;
    flow.setPaused(false);
    expect((await run).text).toBe(words.join(''));
  });

  it('keeps its socket for the call after a tool call, and closes it at the end', async () => {
    const scripted = await server(calling({ name: 'get_order', arguments: {} }), hangingAfter('Here'));
    const model = await openOn(scripted);
    await model.run(modelRequest({ tools }), new CollectedText());
    const sink = new CollectedText();
    const run = model.run(modelRequest({ tools }), sink);
    await sink.first;
    const [first, second] = [await scripted.request(0), await scripted.request(1)];
    expect(second.clientPort).toBe(first.clientPort);
    await Promise.all([model.close(), expect(run).rejects.toMatchObject({ code: 'model_unavailable' })]);
    expect((await second.closed).early).toBe(true);
  });

  // proves wire-2-37
  it('holds the model back while the reader is slow, and does not take that for silence', async () => {
    const total = 1_500;
    const content = 'x'.repeat(8_000);
    let sent = 0;
    const scripted = await server(async (exchange) => {
      for (; sent < total; sent += 1) await exchange.send(chunk({ content }));
      await exchange.send(ending());
      exchange.end();
    });
    const timeout = 1_500;
    const model = await openOn(scripted, { timeout, maxReplyBytes: 16 * 1024 * 1024 });
    const flow = new PausableFlow();
    const sink = new CollectedText();
    flow.setPaused(true);
    const run = model.run(modelRequest({ flow }), sink);
    await sink.first;
    // Longer than the allowed silence, and the sockets' buffers are full by then.
    // eslint-disable-next-line house/no-wall-time -- only time can show that a silence which is the reader's own ends nothing.
    await delay(3 * timeout);
    const sentWhilePaused = sent;
    expect(sentWhilePaused).toBeLessThan(total);
    expect(sink.pieces.length).toBeLessThan(100);
    flow.setPaused(false);
    expect((await run).text).toHaveLength(total * content.length);
  });
});
