import { afterEach, describe, expect, it } from 'vitest';
import { openModels } from '../../src/app/open-models.ts';
import { composeTools } from '../../src/app/compose-tools.ts';
import { KillSwitch } from '../../src/app/kill-switch.ts';
import { tokenxCounter } from '../../src/adapters/tokens/tokenx-counter.ts';
import { Classifier } from '../../src/core/classifier/classifier.ts';
import { TokenEstimates } from '../../src/core/history/token-estimates.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelSettings, OpenedModels } from '../support/opened-models.ts';
import { recordingLogger, recordingMetrics } from '../support/quiet.ts';
import { failing, saying } from '../support/scripted-model.ts';
import { loadText } from '../unit/config/load-from-text.ts';

const models = new OpenedModels();
afterEach(() => models.close());
const exact = modelRequest({ temperature: 0, format: 'json' });

describe('a small question (contract/models.md#small-questions)', () => {
  // proves service-2.14-02
  it('is sent with temperature 0 and response_format, whatever the model is configured with', async () => {
    const scripted = await models.server(saying('{}'), saying('Hi'));
    const model = await models.openOn(scripted, { temperature: 0.9, options: { top_p: 0.5 } });
    await model.run(exact, new CollectedText());
    await model.run(modelRequest(), new CollectedText());
    const [asked, answered] = scripted.requests.map(({ body }) => body);
    expect(asked).toMatchObject({ temperature: 0, top_p: 0.5, response_format: { type: 'json_object' } });
    expect(answered).toMatchObject({ temperature: 0.9, top_p: 0.5 });
    expect(answered).not.toHaveProperty('response_format');
  });

  // proves service-2.14-03
  it('is asked again without a field that the server does not take, and never again with it', async () => {
    const refused = (field: string) => failing(400, { body: { error: { message: `Unsupported value: '${field}'` } } });
    const scripted = await models.server(
      refused('temperature'),
      refused('response_format'),
      saying('one'),
      saying('two'),
    );
    const model = await models.openOn(scripted, { temperature: 1 });
    expect((await model.run(exact, new CollectedText())).text).toBe('one');
    expect((await model.run(exact, new CollectedText())).text).toBe('two');
    expect(scripted.requests.map(({ body }) => [body['temperature'], 'response_format' in body])).toEqual([
      [0, true],
      [1, true],
      [1, false],
      [1, false],
    ]);
  });

  it('is not asked again when it is the configured temperature that is refused', async () => {
    const scripted = await models.server(failing(400, { body: { error: { message: 'temperature is too high' } } }));
    const model = await models.openOn(scripted, { temperature: 1.5 });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ code: 'model_misconfigured' });
    expect(scripted.requests).toHaveLength(1);
  });

  // proves service-2.14-02
  it('has temperature 0 from a LangChain package too', async () => {
    const refused = failing(400, { body: { error: { message: "Unsupported value: 'temperature'" } } });
    const scripted = await models.server(saying('one'), refused, saying('two'), saying('three'));
    const options = { model: 'scripted', configuration: { baseURL: scripted.url } };
    const entry = { provider: '@langchain/openai', class: 'ChatOpenAI', model: undefined, temperature: 0.7, options };
    const model = await models.open({ main: modelSettings(entry) });
    for (const expected of ['one', 'two', 'three'])
      expect((await model.run(exact, new CollectedText())).text).toBe(expected);
    expect(scripted.requests.map(({ body }) => body['temperature'])).toEqual([0, 0, 0.7, 0.7]);
  });

  // proves service-2.14-01
  it('goes to the entry of classifierChatClient, else to that of chatClient', async () => {
    const scripted = await models.server(saying('{"from": "small"}'), saying('{"from": "main"}'));
    const entry = (model: string): string =>
      `{ provider: openai, model: ${model}, apiKey: none, baseUrl: "${scripted.url}" }`;
    const entries = `models: { demo: { provider: demo }, small: ${entry('small')} }\n`;
    const metrics = recordingMetrics();
    for (const [named, answer] of [
      ['chatClient: demo\nclassifierChatClient: small', { from: 'small' }],
      ['chatClient: small', { from: 'main' }],
    ] as const) {
      const { settings } = loadText(`appName: Desk\nactions: none\n${entries}${named}\n`);
      if (settings === undefined) throw new Error('the configuration has faults');
      const log = recordingLogger();
      const killSwitch = new KillSwitch(settings, log);
      const tools = composeTools(settings, { plugins: [], providers: [], killSwitch }, log);
      const services = { log, metrics, estimates: new TokenEstimates(tokenxCounter) };
      const opened = await openModels(settings, { plugins: [], tools }, services);
      models.keep(opened.chat);
      models.keep(opened.classifier);
      expect(opened.chat.model).toBe(settings.chatClient);
      const { signal } = new AbortController();
      const question = { instructions: '', text: 'Who?', timeoutMs: 5_000, signal, tenant: undefined };
      expect(await new Classifier(opened.classifier).object(question)).toEqual(answer);
    }
  });
});
