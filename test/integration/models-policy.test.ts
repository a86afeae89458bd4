import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelSettings as settings, OpenedModels, secretKey as key } from '../support/opened-models.ts';
import {
  chunk,
  cutAfter,
  failing,
  hangingAfter,
  type ModelScript,
  saying,
  sending,
} from '../support/scripted-model.ts';

const run = promisify(execFile);
const models = new OpenedModels();
afterEach(() => models.close());
const server = models.server.bind(models);
const openOn = models.openOn.bind(models);

describe('retries, fallbacks and concurrency (contract/models.md)', () => {
  // proves wire-10-01
  it('retries a transient fault and counts one call', async () => {
    const scripted = await server(failing(503), cutAfter(''), saying('at last'));
    const model = await models.open({ main: settings({ baseUrl: scripted.url, maxRetries: 2 }) });
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('at last');
    expect(scripted.requests).toHaveLength(3);
    expect(models.counted).toHaveLength(1);
    expect(models.counted[0]).toMatchObject({
      provider: 'openai',
      model: 'scripted',
      error: undefined,
      inputTokens: 12,
      outputTokens: 5,
    });
    expect(JSON.stringify(models.logged)).toContain('model call retried');
    expect(JSON.stringify(models.logged)).not.toContain(key);
  });

  // proves wire-10-02
  it('falls back before the first token, in order, and counts each model', async () => {
    const broken = await server(failing(400), failing(400));
    const down = await server(failing(500));
    const good = await server(saying('from the third', '!'));
    const model = await models.open({
      main: settings({ baseUrl: broken.url, fallbacks: ['second', 'third'] }),
      second: settings({ baseUrl: down.url, model: 'two' }),
      third: settings({ baseUrl: good.url, model: 'three' }),
    });
    expect(await model.run(modelRequest(), new CollectedText())).toMatchObject({
      text: 'from the third!',
      model: 'three',
    });
    expect(models.counted.map(({ model: name, error }) => [name, error])).toEqual([
      ['scripted', 'model_misconfigured'],
      ['two', 'model_unavailable'],
      ['three', undefined],
    ]);
  });

  it.each([
    // proves configuration-3-01, wire-10-01
    ['a text', cutAfter('Hel')],
    // proves configuration-3-01
    [
      'a tool call',
      sending(chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'get_order', arguments: '{' } }] })),
    ],
    ['a refusal', sending(chunk({ refusal: 'no' }))],
  ])('neither retries nor falls back after %s', async (_title, script) => {
    const first = await server(script);
    const second = await server(saying('no'));
    const model = await models.open({
      main: settings({ baseUrl: first.url, maxRetries: 2, fallbacks: ['second'] }),
      second: settings({ baseUrl: second.url }),
    });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ transient: false });
    expect(first.requests).toHaveLength(1);
    expect(second.requests).toHaveLength(0);
  });

  // proves configuration-3-04
  it('keeps to its concurrency, in order, and lets a waiting call be stopped', async () => {
    const gates = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    const gated =
      (index: number): ModelScript =>
      async (exchange) => {
        await gates[index]?.promise;
        await saying(`reply ${String(index)}`)(exchange);
      };
    const scripted = await server(gated(0), gated(1), saying('last'));
    const model = await openOn(scripted, { concurrency: 1 });
    const stop = new AbortController();
    const first = model.run(modelRequest(), new CollectedText());
    const waiting = model.run(modelRequest({ signal: stop.signal }), new CollectedText());
    const third = model.run(modelRequest(), new CollectedText());
    await scripted.request(0);
    stop.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(scripted.requests).toHaveLength(1);
    gates[0]?.resolve(undefined);
    expect((await first).text).toBe('reply 0');
    await scripted.request(1);
    gates[1]?.resolve(undefined);
    expect((await third).text).toBe('reply 1');
  });

  it('counts a stopped call as stopped', async () => {
    const scripted = await server(hangingAfter('x'));
    const model = await models.open({ main: settings({ baseUrl: scripted.url }) });
    const stop = new AbortController();
    const sink = new CollectedText();
    const run = model.run(modelRequest({ signal: stop.signal }), sink);
    await sink.first;
    stop.abort(new Error('stop'));
    await expect(run).rejects.toThrow('stop');
    expect(models.counted).toMatchObject([{ error: 'stopped' }]);
  });
});

describe('what a start pays for (docs/architecture.md)', () => {
  // proves configuration-3-06
  it('loads no LangChain and no HTTP client for the demo model', async () => {
    const source = new URL('../../src/adapters/models/open-chat-model.ts', import.meta.url).href;
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
      const { openChatModel } = await import(${JSON.stringify(source)});
      const main = { provider: 'demo', api: 'chat', timeout: 0, maxRetries: 0, fallbacks: [] };
      const demo = { language: 'English', appName: 'App', appDescription: '', pages: [] };
      const metrics = { expect: () => undefined };
      await openChatModel({ name: 'main', models: { main }, pluginModels: new Map(), demo, metrics });
      console.log(JSON.stringify(loaded));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toContain('demo-chat-model.ts');
    expect(stdout).not.toContain('node_modules');
  });
});
