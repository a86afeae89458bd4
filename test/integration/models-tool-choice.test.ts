import { afterEach, describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../src/adapters/models/model-settings.ts';
import type { ToolDeclaration } from '../../src/core/ports/chat-model.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, OpenedModels, secretKey } from '../support/opened-models.ts';
import { replyWith } from '../support/responses-model.ts';
import { calling, saying } from '../support/scripted-model.ts';

const tools: readonly ToolDeclaration[] = [
  { name: 'get_order', description: 'Returns an order.', parameters: { type: 'object', properties: {} } },
];
const models = new OpenedModels();
afterEach(() => models.close());
const defaults = { ...modelBounds, maxRetries: 0, fallbacks: [] } as const;

const entries: Readonly<Record<string, (url: string) => ModelSettings>> = {
  'on the OpenAI wire': (baseUrl) => ({
    ...{ provider: 'openai', model: 'scripted', apiKey: secretKey, api: 'chat' },
    ...{ ...defaults, baseUrl },
  }),
  'of a LangChain package': (baseURL) => ({
    ...{ provider: '@langchain/openai', class: 'ChatOpenAI', api: 'chat' },
    ...{ ...defaults, options: { model: 'scripted', apiKey: secretKey, configuration: { baseURL } } },
  }),
};

describe('a model that must call a tool (contract/models.md)', () => {
  // proves configuration-2-47
  it.each(Object.entries(entries))('is told so, and only then: %s', async (_title, entry) => {
    const scripted = await models.server(calling({ name: 'get_order', arguments: {} }), saying('Done.'));
    const model = await models.open({ main: entry(scripted.url) });
    const reply = await model.run(modelRequest({ tools, toolChoice: 'required' }), new CollectedText());
    await model.run(modelRequest({ tools, toolChoice: 'auto' }), new CollectedText());
    expect(reply.toolCalls).toMatchObject([{ name: 'get_order' }]);
    expect((await scripted.request(0)).body['tool_choice']).toBe('required');
    expect((await scripted.request(1)).body).not.toHaveProperty('tool_choice');
  });

  it.each(['required', 'none'] as const)('is told so over the Responses API, and only then: %s', async (toolChoice) => {
    const script = replyWith('r1', [], 'Done.');
    const scripted = await models.server(script, script);
    const entry = { provider: 'openai', model: 'scripted', apiKey: secretKey, api: 'responses' } as const;
    const options = { modelKwargs: { metadata: { app: 'shop' } } };
    const model = await models.open({ main: { ...defaults, ...entry, options, baseUrl: scripted.url } });
    await model.run(modelRequest({ tools, toolChoice }), new CollectedText());
    await model.run(modelRequest({ tools, toolChoice: 'auto' }), new CollectedText());
    const [first, second] = [(await scripted.request(0)).body, (await scripted.request(1)).body];
    expect(first).toMatchObject({ tool_choice: toolChoice, metadata: { app: 'shop' }, tools: [{ name: 'get_order' }] });
    expect(second).not.toHaveProperty('tool_choice');
  });
});
