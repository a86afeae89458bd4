import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../src/adapters/models/model-settings.ts';
import type { ChatModel } from '../../src/core/ports/chat-model.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, OpenedModels, secretKey as key } from '../support/opened-models.ts';

const models = new OpenedModels();
afterEach(() => models.close());
const server = models.server.bind(models);

function open(changes: Partial<ModelSettings>): Promise<ChatModel> {
  return models.open({ main: { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [], ...changes } });
}

describe('the query of an address that fails (contract/configuration.md#faults)', () => {
  const query = '?key=query-secret-1';
  const responses = { provider: 'openai', api: 'responses', model: 'scripted', apiKey: key } as const;
  const ofPackage = (baseURL: string): Partial<ModelSettings> => {
    return { provider: '@langchain/openai', class: 'ChatOpenAI', options: { apiKey: key, configuration: { baseURL } } };
  };

  it.each<[string, (origin: string) => Partial<ModelSettings>]>([
    ['the OpenAI wire', (origin) => ({ provider: 'openai', model: 'scripted', apiKey: key, baseUrl: origin + query })],
    ['the Responses API', (origin) => ({ ...responses, baseUrl: origin + query })],
    ['a LangChain package', (origin) => ofPackage(origin + query)],
  ])('is hidden when the server of %s names it', async (_title, entry) => {
    const scripted = await server((exchange) => {
      exchange.head(404, { 'content-type': 'application/json' });
      const { path } = exchange.request;
      const message = `no route POST ${path}, see ${scripted.origin}${path} and query-secret-1`;
      return exchange.send(JSON.stringify({ error: { message } })).then(() => {
        exchange.end();
      });
    });
    const model = await open(entry(scripted.origin));
    const error: unknown = await model.run(modelRequest(), new CollectedText()).catch((reason: unknown) => reason);
    expect(String(error)).toContain('404');
    expect(String(error)).toContain('no route POST');
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('query-secret-1');
  });

  it.each<[string, (address: string) => Partial<ModelSettings>]>([
    ['the Responses API', (baseUrl) => ({ ...responses, baseUrl })],
    ['a LangChain package', ofPackage],
  ])('is hidden when %s cannot read the address', async (_title, entry) => {
    const error: unknown = await open(entry(`http://[host/v1${query}`))
      .then((model) => model.run(modelRequest(), new CollectedText()))
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('query-secret-1');
  });
});
