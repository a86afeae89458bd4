import { afterEach, describe, expect, it } from 'vitest';
import { openAiEndpoint } from '../../src/adapters/models/openai-wire/wire-endpoint.ts';
import type { ChatModel } from '../../src/core/ports/chat-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { modelBounds, modelSettings, OpenedModels } from '../support/opened-models.ts';
import { bedrockCall, bedrockText, converse, startBedrock } from '../support/providers/bedrock.ts';
import { claudeCall, claudeSays, claudeText } from '../support/providers/claude.ts';
import { type ModelScript, saying } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp } from '../support/test-http.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const settings = { ...modelBounds, maxRetries: 0, fallbacks: [] } as const;

/** Asks a model in one turn with two tools that read. Returns the frames as text, the calls of the tools, and the end. */
async function ask(model: ChatModel) {
  const toolList = ['get_order', 'get_price'].map((name) => fakeTool({ name, readOnly: true }));
  const { url } = await testHttp({ model, toolList });
  const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Where is it?' } });
  const { data } = await stream.next('end');
  await stream.closed;
  return { end: data, frames: JSON.stringify(stream.frames), calls: toolList.flatMap(({ runs }) => runs) };
}

const input = { input_tokens: 20, cache_read_input_tokens: 900, cache_creation_input_tokens: 40 };
const inClaudesWay = (text: string): ModelScript =>
  claudeSays([claudeText(text)], 'end_turn', { ...input, output_tokens: 7 });
const callingBoth = claudeSays(['get_order', 'get_price'].map(claudeCall), 'tool_use', { ...input, output_tokens: 30 });

describe('a provider that is named (contract/models.md#providers)', () => {
  // proves configuration-4-06
  it.each([
    ['deepseek', 'https://api.deepseek.com/v1/chat/completions'],
    ['google', 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions'],
    ['groq', 'https://api.groq.com/openai/v1/chat/completions'],
    ['mistral', 'https://api.mistral.ai/v1/chat/completions'],
    ['ollama', 'http://localhost:11434/v1/chat/completions'],
    ['openrouter', 'https://openrouter.ai/api/v1/chat/completions'],
    ['xai', 'https://api.x.ai/v1/chat/completions'],
  ])('%s is asked at its own address', (provider, address) => {
    const { origin, path } = openAiEndpoint({ provider, model: 'm', apiKey: 'k' });
    expect(origin + path).toBe(address);
  });

  // proves configuration-4-06
  it('is asked at another address, with another name on its figures', async () => {
    const server = await models.server(saying('Hello.'));
    const model = await models.open({ main: modelSettings({ provider: 'groq', baseUrl: server.url }) });
    expect((await ask(model)).frames).toContain('Hello.');
    expect(models.counted).toMatchObject([{ provider: 'groq' }]);
  });
});

describe('anthropic (contract/models.md#providers)', () => {
  const opened = async (...scripts: readonly ModelScript[]) => {
    const server = await models.server(...scripts);
    const entry = { ...settings, provider: 'anthropic', model: 'claude-sonnet-4-5', apiKey: 'sk-ant-key' };
    const model = await models.open({ main: { ...entry, baseUrl: server.origin, headers: { 'x-team': 'shop' } } });
    return { server, model };
  };

  // proves configuration-4-07
  it('needs nothing but its name, a model and a key: text, parallel calls, tokens', async () => {
    const { server, model } = await opened(callingBoth, inClaudesWay('It has left.'));
    const { end, frames, calls } = await ask(model);
    expect(frames).toContain('It has left.');
    expect(calls).toHaveLength(2);
    expect(end).toMatchObject({ status: 'completed' });
    expect(server.requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'sk-ant-key', 'x-team': 'shop' },
    });
    expect(models.counted).toMatchObject([
      { provider: 'anthropic', inputTokens: 960, cachedInputTokens: 900, outputTokens: 30 },
      { provider: 'anthropic', inputTokens: 960, cachedInputTokens: 900, outputTokens: 7 },
    ]);
  });

  // proves configuration-4-08
  it('is told to keep tools, instructions and the conversation so far', async () => {
    const { server, model } = await opened(inClaudesWay('Hello.'));
    await ask(model);
    const marked = { cache_control: { type: 'ephemeral' } };
    const [{ body } = { body: {} as Readonly<Record<string, unknown>> }] = server.requests;
    expect(body).toMatchObject({ ...marked, system: [{ type: 'text', ...marked }] });
    const tools = body['tools'] as readonly object[]; // checked below
    expect(tools.at(-1)).toMatchObject({ name: 'get_price', input_schema: { type: 'object' }, ...marked });
    expect(JSON.stringify(tools.slice(0, -1))).not.toContain('cache_control');
  });
});

describe('bedrock (contract/models.md#providers)', () => {
  // proves configuration-4-07
  it('answers with text, calls and tokens over its own wire', async () => {
    const usage = (outputTokens: number): object => ({ inputTokens: 50, outputTokens, totalTokens: 50 + outputTokens });
    const { url, requests } = await startBedrock(
      converse([bedrockCall('get_order')], 'tool_use', usage(12)),
      converse([bedrockText('It has left.')], 'end_turn', usage(5)),
    );
    const model = await models.open({
      main: {
        ...settings,
        ...{ provider: 'bedrock', model: 'anthropic.claude-sonnet-4-5-20250929-v1:0', apiKey: 'bedrock-api-key' },
        ...{ baseUrl: url, options: { region: 'eu-central-1' } },
      },
    });
    const { frames, calls } = await ask(model);
    expect(frames).toContain('It has left.');
    expect(calls).toHaveLength(1);
    expect(requests[0]).toMatchObject({ authorization: 'Bearer bedrock-api-key' });
    expect(decodeURIComponent(requests[0]?.path ?? '')).toContain('claude-sonnet-4-5-20250929-v1:0/converse-stream');
    expect(JSON.stringify(requests[1]?.body)).toContain('toolResult');
    expect(models.counted).toMatchObject([
      { provider: 'bedrock', inputTokens: 50, outputTokens: 12 },
      { provider: 'bedrock', inputTokens: 50, outputTokens: 5 },
    ]);
  });

  /** The bodies with which a model of Bedrock is asked a question that it answers after one call. */
  async function bodiesFor(model: string, usage: object): Promise<readonly unknown[]> {
    const { url, requests } = await startBedrock(
      converse([bedrockCall('get_order')], 'tool_use', usage),
      converse([bedrockText('It has left.')], 'end_turn', usage),
    );
    const entry = { provider: 'bedrock', model, apiKey: 'k', baseUrl: url, options: { region: 'eu-central-1' } };
    await ask(await models.open({ main: { ...settings, ...entry } }));
    return requests.map(({ body }) => body);
  }

  // proves configuration-4-31
  it.each(['anthropic.claude-sonnet-4-5-20250929-v1:0', 'eu.anthropic.claude-3-7-sonnet-20250219-v1:0'])(
    'is told to keep tools, instructions and the conversation so far, and counts what came from there: %s',
    async (model) => {
      const usage = { inputTokens: 20, cacheReadInputTokens: 900, cacheWriteInputTokens: 40 };
      const bodies = await bodiesFor(model, { ...usage, outputTokens: 12, totalTokens: 972 });
      const point = { cachePoint: { type: 'default' } };
      const ends = [expect.anything(), point] as unknown;
      expect(bodies).toHaveLength(2);
      for (const body of bodies)
        expect(body).toMatchObject({
          system: [{ text: expect.any(String) as string }, point],
          toolConfig: { tools: [{ toolSpec: { name: 'get_order' } }, { toolSpec: { name: 'get_price' } }, point] },
        });
      expect(bodies.map((body) => (body as { messages: object[] }).messages.at(-1))).toMatchObject([
        { role: 'user', content: ends },
        { role: 'user', content: ends },
      ]); // a request of Converse has messages
      expect(models.counted).toMatchObject([
        { provider: 'bedrock', inputTokens: 960, cachedInputTokens: 900, outputTokens: 12 },
        { provider: 'bedrock', inputTokens: 960, cachedInputTokens: 900, outputTokens: 12 },
      ]);
    },
  );

  // proves configuration-4-31
  it.each([
    'anthropic.claude-3-haiku-20240307-v1:0',
    'us.anthropic.claude-3-5-sonnet-20240620-v1:0',
    'meta.llama4-scout-17b-instruct-v1:0',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcdefghijk2',
  ])('is sent no cache point for a model that may take none: %s', async (model) => {
    const bodies = await bodiesFor(model, { inputTokens: 20, outputTokens: 12, totalTokens: 32 });
    expect(bodies).toHaveLength(2);
    expect(JSON.stringify(bodies)).not.toContain('cachePoint');
  });

  // proves configuration-4-09
  it('says that its region is missing', async () => {
    const entry = { ...settings, provider: 'bedrock', model: 'm' };
    await expect(models.open({ main: entry })).rejects.toThrow('models.main: options.region is missing');
  });
});
