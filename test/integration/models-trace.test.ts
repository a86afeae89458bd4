import { afterEach, describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../src/adapters/models/model-settings.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, OpenedModels, secretKey as key } from '../support/opened-models.ts';
import { saying, type ScriptedModel } from '../support/scripted-model.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const entries: Readonly<Record<string, (scripted: ScriptedModel) => Partial<ModelSettings>>> = {
  'an OpenAI-compatible endpoint': ({ url }) => ({ provider: 'openai', baseUrl: url, model: 'scripted', apiKey: key }),
  'an installed LangChain package': ({ url }) => ({
    provider: '@langchain/openai',
    class: 'ChatOpenAI',
    options: { model: 'scripted', apiKey: key, configuration: { baseURL: url } },
  }),
};

describe.each(Object.entries(entries))('a model of %s (contract/operations.md#traces)', (_name, settingsOf) => {
  // proves wire-6-42
  it('is told of the trace that a call goes on in, and of none without', async () => {
    const scripted = await models.server(saying('One.'), saying('Two.'));
    const defaults = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [] } as const;
    const model = await models.open({ main: { ...defaults, ...settingsOf(scripted) } });
    await model.run(modelRequest({ traceparent }), new CollectedText());
    await model.run(modelRequest(), new CollectedText());
    expect(scripted.requests.map(({ headers }) => headers['traceparent'])).toEqual([traceparent, undefined]);
    expect(scripted.requests[0]?.headers['authorization']).toBe(`Bearer ${key}`);
  });
});
