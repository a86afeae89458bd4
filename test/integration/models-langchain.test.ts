import { inspect } from 'node:util';
import { FakeStreamingChatModel } from '@langchain/core/utils/testing';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../src/adapters/models/model-settings.ts';
import { type ChatModel, ModelError, type ToolDeclaration } from '../../src/core/ports/chat-model.ts';
import { bluePixel } from '../support/images.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, OpenedModels, secretKey as key } from '../support/opened-models.ts';
import {
  calling,
  chunk,
  ending,
  failing,
  hangingAfter,
  type ModelScript,
  saying,
  type ScriptedModel,
  sending,
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

function open(
  changes: Partial<ModelSettings>,
  pluginModels: Readonly<Record<string, object>> = {},
): Promise<ChatModel> {
  const defaults = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [] } as const;
  return models.open({ main: { ...defaults, ...changes } }, pluginModels);
}

/** `ChatOpenAI` as anybody would configure an installed package. */
function packageOn(scripted: ScriptedModel, changes: Partial<ModelSettings> = {}): Promise<ChatModel> {
  const options = { model: 'scripted', apiKey: key, configuration: { baseURL: scripted.url } };
  return open({ provider: '@langchain/openai', class: 'ChatOpenAI', options, ...changes });
}

describe('a model of an installed LangChain package (contract/models.md)', () => {
  it('streams a reply with its usage and name', async () => {
    const scripted = await server(saying('Hi "there" ', '漢字\n'));
    const model = await packageOn(scripted);
    const sink = new CollectedText();
    const reply = await model.run(modelRequest(), sink);
    expect(reply).toEqual({
      text: 'Hi "there" 漢字\n',
      toolCalls: [],
      usage: { inputTokens: 12, outputTokens: 5 },
      model: 'scripted',
      finish: 'stop',
    });
    expect(sink.unescaped).toBe(reply.text);
    expect(model).toMatchObject({ model: 'scripted', provider: '@langchain/openai', isDemo: false });
  });

  it('hands over the conversation, and its parallel calls with broken arguments as they are', async () => {
    const scripted = await server(
      calling({ name: 'get_order', arguments: { id: 1 } }, { name: 'get_order', arguments: '{bad' }),
    );
    const messages = [
      { role: 'user', text: 'Where?' },
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'get_order', arguments: '{"id":1}' }] },
      { role: 'tool', callId: 'a', name: 'get_order', text: '{}' },
    ] as const;
    const reply = await (
      await packageOn(scripted)
    ).run(modelRequest({ messages, tools, toolChoice: 'none' }), new CollectedText());
    expect(reply.finish).toBe('tool-calls');
    expect(reply.toolCalls).toEqual([
      { id: 'call_1', name: 'get_order', arguments: '{"id":1}' },
      { id: 'call_2', name: 'get_order', arguments: '{bad' },
    ]);
    const { body } = await scripted.request(0);
    expect(body['tool_choice']).toBe('none');
    expect(body['tools']).toMatchObject([{ type: 'function', function: { name: 'get_order' } }]);
    expect(body['messages']).toMatchObject([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'Where?' },
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'get_order', arguments: '{"id":1}' } }] },
      { role: 'tool', tool_call_id: 'a', content: '{}' },
    ]);
  });

  it.each([
    ['401', failing(401), { code: 'model_unavailable', transient: false }],
    ['429', failing(429, { headers: { 'retry-after': '2' } }), { transient: true, retryAfterMs: 2_000 }],
    ['500', failing(500), { code: 'model_unavailable', transient: true }],
    [
      'a content filter',
      sending(chunk({ content: 'a' }), ending('content_filter')),
      { code: 'model_refused', transient: false },
    ],
  ])('fails by the same rules: %s', async (_title, script, expected) => {
    const scripted = await server(script);
    const model = await packageOn(scripted);
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      name: 'ModelError',
      ...expected,
    });
    expect(scripted.requests).toHaveLength(1);
  });

  it('gives up after silence and closes the socket', async () => {
    const scripted = await server(hangingAfter('Hel'));
    const model = await packageOn(scripted, { timeout: 100 });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_timeout',
      transient: false,
    });
    expect((await (await scripted.request(0)).closed).early).toBe(true);
  });

  it('closes the socket at a stop, long before its own time limit', async () => {
    const scripted = await server(hangingAfter('Hel'));
    const stop = new AbortController();
    const sink = new CollectedText();
    // Its own limit is longer than a test may take.
    const model = await packageOn(scripted, { timeout: 600_000 });
    const run = model.run(modelRequest({ signal: stop.signal }), sink);
    await sink.first;
    const reason = new Error('stopped');
    stop.abort(reason);
    await expect(run).rejects.toBe(reason);
    expect((await (await scripted.request(0)).closed).early).toBe(true);
  });
});

describe('the Responses API (contract/models.md, `api: responses`)', () => {
  const created = { type: 'response.created', response: { id: 'r1', model: 'gpt-scripted' } };
  const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 };
  const completed = (status: string, more: object = {}): object => ({
    type: `response.${status}`,
    response: { id: 'r1', object: 'response', model: 'gpt-scripted', status, output: [], usage, ...more },
  });
  const events = (...list: readonly object[]): ModelScript =>
    sending(...list.map((event) => `event: ${String(Reflect.get(event, 'type'))}\ndata: ${JSON.stringify(event)}\n\n`));
  const text = (delta: string): object => ({
    type: 'response.output_text.delta',
    delta,
    content_index: 0,
    output_index: 0,
  });

  it('streams a reply', async () => {
    const scripted = await server(events(created, text('Hello '), text('you'), completed('completed')));
    const model = await open({
      provider: 'openai',
      api: 'responses',
      model: 'gpt',
      apiKey: key,
      baseUrl: scripted.url,
    });
    const reply = await model.run(modelRequest(), new CollectedText());
    expect(reply).toEqual({
      text: 'Hello you',
      toolCalls: [],
      usage: { inputTokens: 7, outputTokens: 3 },
      model: 'gpt-scripted',
      finish: 'stop',
    });
    const request = await scripted.request(0);
    expect(request.path).toBe('/v1/responses');
    expect(request.headers['authorization']).toBe(`Bearer ${key}`);
  });

  it('assembles tool calls', async () => {
    const item = { type: 'function_call', id: 'fc', call_id: 'c1', name: 'get_order', arguments: '' };
    const scripted = await server(
      events(
        created,
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{"id":' },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '5}' },
        completed('completed'),
      ),
    );
    const model = await open({
      provider: 'openai',
      api: 'responses',
      model: 'gpt',
      apiKey: key,
      baseUrl: scripted.url,
    });
    const reply = await model.run(modelRequest({ tools }), new CollectedText());
    expect(reply).toMatchObject({
      finish: 'tool-calls',
      toolCalls: [{ id: 'c1', name: 'get_order', arguments: '{"id":5}' }],
    });
  });

  it('takes a reply without an end for a fault', async () => {
    const scripted = await server(events(created, text('Hel')), events(created));
    const model = await open({
      provider: 'openai',
      api: 'responses',
      model: 'gpt',
      apiKey: key,
      baseUrl: scripted.url,
    });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      transient: false,
    });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      transient: true,
    });
  });

  it('knows an end at the length limit', async () => {
    const cut = completed('incomplete', { incomplete_details: { reason: 'max_output_tokens' } });
    const scripted = await server(events(created, text('Hel'), cut));
    const model = await open({
      provider: 'openai',
      api: 'responses',
      model: 'gpt',
      apiKey: key,
      baseUrl: scripted.url,
    });
    expect(await model.run(modelRequest(), new CollectedText())).toMatchObject({ text: 'Hel', finish: 'length' });
  });

  it('reaches an Azure resource', async () => {
    const scripted = await server(events(created, text('Hi'), completed('completed')));
    const azure = {
      provider: 'azure',
      api: 'responses',
      endpoint: `${scripted.origin}/`,
      deployment: 'dep',
      apiKey: key,
    } as const;
    const model = await open(azure);
    await model.run(modelRequest(), new CollectedText());
    const request = await scripted.request(0);
    expect(request.path).toBe('/openai/v1/responses');
    expect(request.headers['api-key']).toBe(key);
    expect(request.body['model']).toBe('dep');
  });
});

/** A model that cannot stream, and whose reply is one message with calls. */
class WholeMessageModel extends BaseChatModel {
  override _llmType(): string {
    return 'whole';
  }

  override _generate(): Promise<ChatResult> {
    const message = new AIMessage({
      content: 'Looking.',
      tool_calls: [{ id: 'a', name: 'get_order', args: { id: 4 } }],
    });
    return Promise.resolve({ generations: [{ text: 'Looking.', message }] });
  }
}

/** A model that does not look at its signal. */
class StubbornModel extends WholeMessageModel {
  override async *_streamResponseChunks(_messages: BaseMessage[]): AsyncGenerator<ChatGenerationChunk> {
    yield new ChatGenerationChunk({ text: 'x', message: new AIMessageChunk('x') });
    await new Promise(() => undefined);
  }
}

/** A model that has only a stream. */
function plainModel(iterator: () => object): object {
  return {
    _modelType: () => 'base_chat_model',
    stream: () => Promise.resolve({ [Symbol.asyncIterator]: iterator }),
  };
}

describe('a model of a plugin (contract/plugins.md#plugins)', () => {
  it('answers', async () => {
    const chunks = ['Hel', 'lo'].map((text) => new AIMessageChunk(text));
    const model = await open({ plugin: 'mine' }, { mine: new FakeStreamingChatModel({ chunks, sleep: 0 }) });
    const sink = new CollectedText();
    expect((await model.run(modelRequest(), sink)).text).toBe('Hello');
    expect(sink.pieces).toEqual(['Hel', 'lo']);
    expect(model).toMatchObject({ model: 'mine', provider: 'plugin' });
  });

  it('may answer with a whole message', async () => {
    const model = await open({ plugin: 'mine', model: 'named' }, { mine: new WholeMessageModel({}) });
    expect(await model.run(modelRequest(), new CollectedText())).toMatchObject({
      text: 'Looking.',
      toolCalls: [{ id: 'a', name: 'get_order', arguments: '{"id":4}' }],
      model: 'named',
    });
  });

  it('is stopped and given up even when it does not look at its signal', async () => {
    const stubborn = { mine: new StubbornModel({}) };
    const stop = new AbortController();
    const sink = new CollectedText();
    const run = (await open({ plugin: 'mine' }, stubborn)).run(modelRequest({ signal: stop.signal }), sink);
    await sink.first;
    stop.abort(new Error('stopped'));
    await expect(run).rejects.toThrow('stopped');
    const model = await open({ plugin: 'mine', timeout: 50 }, stubborn);
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ code: 'model_timeout' });
  });

  it.each([
    ['stopped', 5_000, 'the test stops it'],
    ['silent', 50, 'the model was silent'],
  ])('may tidy up when it is given up (%s)', async (_title, timeout, message) => {
    const left = Promise.withResolvers<undefined>();
    const chat = plainModel(() => ({
      next: () =>
        sink.pieces.length > 0 ? new Promise(() => undefined) : Promise.resolve({ value: { content: 'x' } }),
      return: () => {
        left.resolve(undefined);
        return Promise.reject(new Error('too late'));
      },
    }));
    const stop = new AbortController();
    const sink = new CollectedText();
    const model = await open({ plugin: 'mine', timeout }, { mine: chat });
    const run = model.run(modelRequest({ signal: stop.signal }), sink);
    await sink.first;
    if (timeout === 5_000) stop.abort(new Error('the test stops it'));
    await expect(run).rejects.toThrow(message);
    await left.promise;
  });

  it('that never ends and never waits can be stopped, and lets the server go on', async () => {
    const chat = plainModel(() => ({ next: () => Promise.resolve({ value: { content: 'x' } }) }));
    const stop = new AbortController();
    const model = await open({ plugin: 'mine' }, { mine: chat });
    const run = model.run(modelRequest({ signal: stop.signal }), new CollectedText());
    setTimeout(() => {
      stop.abort(new Error('stopped'));
    }, 20);
    await expect(run).rejects.toThrow('stopped');
  });

  it('whose reply is endless is given up', async () => {
    const piece = 'x'.repeat(8 * 1024 * 1024);
    const chat = plainModel(() => ({ next: () => Promise.resolve({ value: { content: piece } }) }));
    const model = await open({ plugin: 'mine' }, { mine: chat });
    await expect(model.run(modelRequest(), { text: () => undefined })).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'the reply is longer than 4194304 bytes (maxReplyBytes)',
    });
  });

  it.each([
    ['max_tokens', { finish: 'length', toolCalls: [] }],
    ['model_length', { finish: 'length', toolCalls: [] }],
    ['stop', { finish: 'tool-calls' }],
  ])('may name its end %s', async (finish_reason, expected) => {
    const chat = plainModel(() => {
      const calls = [{ index: 0, id: 'a', name: 'get_order', args: '{}' }];
      const values = [{ content: '', tool_call_chunks: calls, response_metadata: { finish_reason } }];
      return { next: () => Promise.resolve({ done: values.length === 0, value: values.shift() }) };
    });
    const model = await open({ plugin: 'mine' }, { mine: chat });
    expect(await model.run(modelRequest(), new CollectedText())).toMatchObject(expected);
  });

  it('that ends by a fault has failed', async () => {
    const values = [{ content: '', response_metadata: { finish_reason: 'error' } }];
    const chat = plainModel(() => ({
      next: () => Promise.resolve({ done: values.length === 0, value: values.shift() }),
    }));
    const model = await open({ plugin: 'mine' }, { mine: chat });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      transient: true,
    });
  });

  it.each([
    ['at once', { status: 401 }],
    ['in its stream', {}],
  ])(
    'that fails %s with the key in its words shows it nowhere (contract/errors.md#problem-documents)',
    async (_title, fields) => {
      const fault = Object.assign(new Error(`no entry for ${key}`), fields, { config: { authorization: key } });
      const chat = plainModel(() => ({ next: () => Promise.reject(fault) }));
      const model = await open({ plugin: 'mine', apiKey: key }, { mine: chat });
      const error: unknown = await model.run(modelRequest(), new CollectedText()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ModelError);
      const { message, words = '' } = error as ModelError; // as it was just looked at
      expect(message + words).toContain('no entry for ***');
      expect(inspect(error, { depth: 10 })).not.toContain(key);
    },
  );

  it('without tools of its own cannot be given any', async () => {
    const model = await open({ plugin: 'mine' }, { mine: new WholeMessageModel({}) });
    await expect(model.run(modelRequest({ tools }), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'this model cannot call tools',
    });
  });
});

describe('an entry of models that cannot be opened (contract/models.md)', () => {
  it.each<[string, Partial<ModelSettings>, string]>([
    [
      'a package that is not installed',
      { provider: '@langchain/nowhere', class: 'ChatNowhere' },
      'run `npm i @langchain/nowhere`',
    ],
    [
      'a class that is missing',
      { provider: '@langchain/openai' },
      'class is missing: the package @langchain/openai exports',
    ],
    [
      'a class that does not exist',
      { provider: '@langchain/openai', class: 'ChatNobody' },
      'exports no class ChatNobody',
    ],
    [
      'a class that is no chat model',
      { provider: '@langchain/openai', class: 'OpenAIEmbeddings', options: { apiKey: 'x' } },
      'is not a LangChain chat model',
    ],
    ['a provider that is no package', { provider: '../evil.js' }, 'is unknown'],
    ['no provider', {}, 'provider or plugin is missing'],
    ['a plugin model that does not exist', { plugin: 'gone' }, 'no loaded plugin exports a model named "gone"'],
    ['a plugin model that is something else', { plugin: 'odd' }, 'is not a LangChain chat model'],
    [
      'streaming: true',
      { provider: '@langchain/openai', class: 'ChatOpenAI', options: { streaming: true } },
      'options.streaming',
    ],
    ['no model', { provider: 'openai' }, 'model is missing'],
    ['a wrong address', { provider: 'openai', model: 'x', baseUrl: 'ftp://x' }, 'baseUrl must be'],
    [
      'a password in the address',
      { provider: 'openai', model: 'x', baseUrl: 'http://a:b@c' },
      'must not hold a password',
    ],
    [
      'a header that is none',
      { provider: 'openai', model: 'x', headers: { 'a b': 'x' } },
      'headers.a b is not a valid',
    ],
    [
      'a field that is ours',
      { provider: 'openai', model: 'x', options: { stream: false } },
      'options.stream is set by the server',
    ],
    ['azure without a deployment', { provider: 'azure', endpoint: 'http://x' }, 'deployment is missing'],
    ['azure without a version', { provider: 'azure', endpoint: 'http://x', deployment: 'd' }, 'apiVersion is missing'],
    ['an unknown option of the demo', { provider: 'demo', options: { speed: 1 } }, 'options.speed is unknown'],
  ])('%s', async (_title, changes, message) => {
    await expect(open(changes, { odd: {} })).rejects.toThrow(`models.main: `);
    await expect(open(changes, { odd: {} })).rejects.toThrow(message);
  });

  it('names what there is when the entry itself is missing', async () => {
    const other = { ...modelBounds, provider: 'demo', api: 'chat', timeout: 0, maxRetries: 0, fallbacks: [] } as const;
    await expect(models.open({ other })).rejects.toThrow('models.main does not exist; there is other');
  });
});

describe('images for a LangChain model (contract/images.md)', () => {
  const url = `data:image/png;base64,${bluePixel}`;
  const messages = [
    {
      role: 'user',
      text: 'What is this?',
      images: [{ name: 'cat.png', mediaType: 'image/png', data: bluePixel }],
    },
  ] as const;

  it('are in the form that all packages read', async () => {
    const scripted = await server(saying('A cat.'));
    const model = await packageOn(scripted);
    await model.run({ ...modelRequest(), messages }, new CollectedText());
    expect((await scripted.request(0)).body['messages']).toContainEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url } },
      ],
    });
  });

  it('go to the Responses API as it takes them', async () => {
    const scripted = await server(saying('A cat.'));
    const model = await open({ provider: 'openai', api: 'responses', model: 'x', baseUrl: scripted.url, apiKey: key });
    // The scripted server can answer only chat completions. The test looks only at the request.
    await model.run({ ...modelRequest(), messages }, new CollectedText()).catch(() => undefined);
    expect(JSON.stringify((await scripted.request(0)).body['input'])).toContain(`"image_url":"${url}"`);
  });
});
