import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../src/adapters/models/model-settings.ts';
import type { ChatModel, ToolDeclaration } from '../../src/core/ports/chat-model.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelSettings, OpenedModels } from '../support/opened-models.ts';

const tools: readonly ToolDeclaration[] = [
  {
    name: 'get_order',
    description: 'Returns an order.',
    parameters: { type: 'object', properties: { id: { type: 'integer' } } },
  },
];
const mock = new LLMock({ port: 0 });
const models = new OpenedModels();

beforeAll(async () => {
  await mock.start();
});
afterEach(async () => {
  await models.close();
  mock.clearFixtures();
});
afterAll(async () => {
  await mock.stop();
});

/** The same model by our own wire and by LangChain's. */
function open(api: 'chat' | 'responses', changes: Partial<ModelSettings> = {}): Promise<ChatModel> {
  const here = { model: 'gpt-4o', baseUrl: `${mock.url}/v1` };
  return models.open({ main: modelSettings({ ...here, api, ...changes }) });
}

function asking(text: string): ReturnType<typeof modelRequest> {
  return modelRequest({ messages: [{ role: 'user', text }], tools });
}

describe.each(['chat', 'responses'] as const)('an independent OpenAI server, api: %s (contract/models.md)', (api) => {
  it('streams a text', async () => {
    const content = 'Grüße! "Quoted" \\ and 😀\nin two lines.';
    mock.onMessage('hello', {
      content,
      usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, input_tokens: 9, output_tokens: 4 },
    });
    const sink = new CollectedText();
    const reply = await (await open(api)).run(asking('hello'), sink);
    expect(reply).toMatchObject({ text: content, finish: 'stop', toolCalls: [] });
    expect(sink.unescaped).toBe(content);
    expect(reply.usage).toEqual({ inputTokens: 9, outputTokens: 4 });
  });

  it('calls one tool, and two in parallel', async () => {
    mock.onMessage('one', { toolCalls: [{ name: 'get_order', arguments: '{"id":1}' }] });
    mock.onMessage('two', {
      toolCalls: [
        { name: 'get_order', arguments: '{"id":1}' },
        { name: 'get_order', arguments: '{"id":2}' },
      ],
    });
    const model = await open(api);
    const one = await model.run(asking('one'), new CollectedText());
    expect(one).toMatchObject({ finish: 'tool-calls', toolCalls: [{ name: 'get_order', arguments: '{"id":1}' }] });
    const two = await model.run(asking('two'), new CollectedText());
    expect(two.toolCalls.map(({ arguments: text }) => text)).toEqual(['{"id":1}', '{"id":2}']);
    expect(new Set(two.toolCalls.map(({ id }) => id)).size).toBe(2);
  });

  it('is asked again after 429', async () => {
    mock.onMessage('busy', { content: 'free now' });
    mock.nextRequestError(429, { message: 'slow down', type: 'rate_limit_error' });
    const model = await open(api, { maxRetries: 1 });
    expect((await model.run(asking('busy'), new CollectedText())).text).toBe('free now');
  });

  it('that answers 500 is unavailable, and the next message works', async () => {
    mock.onMessage('hello', { content: 'back' });
    mock.nextRequestError(500, { message: 'oops' });
    const model = await open(api);
    await expect(model.run(asking('hello'), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      transient: true,
    });
    expect((await model.run(asking('hello'), new CollectedText())).text).toBe('back');
  });

  it('that cuts the stream is unavailable', async () => {
    mock.onMessage('cut', { content: 'word '.repeat(50) }, { chunkSize: 5, truncateAfterChunks: 4 });
    await expect((await open(api)).run(asking('cut'), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
    });
  });
});
