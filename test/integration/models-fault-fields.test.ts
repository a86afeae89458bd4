import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { currentNetwork, useNetwork } from '../../src/adapters/shared/network/network.ts';
import { connectionReason } from '../../src/adapters/shared/connection-reason.ts';
import { createGenAiMetrics } from '../../src/adapters/metrics/gen-ai-metrics.ts';
import { familyText } from '../../src/adapters/metrics/family-text.ts';
import { MetricsPage } from '../../src/adapters/metrics/metrics-page.ts';
import { ModelError } from '../../src/core/ports/chat-model.ts';
import { freePort } from '../support/free-port.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, modelSettings, OpenedModels, secretKey } from '../support/opened-models.ts';
import { PackageChat } from '../support/package-chat.ts';
import { failing, hangingAfter, type ModelScript, saying, sending } from '../support/scripted-model.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const prompt = 'a question that no log may repeat';
const request = modelRequest({ messages: [{ role: 'user', text: prompt }] });

/** The fault with which a call ends. */
async function faultOf(call: Promise<unknown>): Promise<ModelError> {
  const fault: unknown = await call.catch((error: unknown) => error);
  if (!(fault instanceof ModelError)) throw new Error('the call has not failed as a model does', { cause: fault });
  return fault;
}

const answer = (fields: object): object => ({ error: { message: `${prompt} ${secretKey}`, ...fields } });

describe('a fault as its operator reads it (contract/models.md#faults-for-operators)', () => {
  // proves configuration-4-14, configuration-4-15
  it.each<readonly [string, ModelScript, object, RegExp]>([
    [
      'a field',
      failing(400, { body: answer({ code: 'unsupported_value', param: 'reasoning.effort' }) }),
      { status: 400, providerCode: 'unsupported_value', param: 'reasoning.effort' },
      /^The provider refuses the request: check reasoning\.effort in options of models\.main\.$/,
    ],
    [
      'a request',
      failing(400, { body: answer({ type: 'invalid_request_error' }) }),
      { status: 400, providerCode: 'invalid_request_error' },
      /^The provider refuses the request: check options, temperature and maxOutputTokens of models\.main; observability/,
    ],
    [
      'a message',
      failing(400, { body: answer({ code: 'invalid_value', param: 'messages[3].content' }) }),
      { status: 400, providerCode: 'invalid_value', param: 'messages[3].content' },
      /^The provider refuses a part of the conversation, messages\[3\]\.content: observabilityIncludeSensitiveData/,
    ],
    [
      'a rate',
      failing(429, { body: { error: { message: 'slower', code: 'rate_limit_exceeded' } } }),
      { status: 429, providerCode: 'rate_limit_exceeded' },
      /^The provider asks for fewer calls: set concurrency of models\.main/,
    ],
    [
      'a provider in trouble',
      failing(529, { body: answer({ type: 'overloaded_error' }) }),
      { status: 529, providerCode: 'overloaded_error' },
      /^The provider has a fault of its own/,
    ],
    [
      'a code that is no name',
      failing(500, { body: answer({ code: 'my words: a b' }) }),
      { status: 500, providerCode: undefined },
      /^The provider has a fault of its own/,
    ],
  ])(
    'has its place, its codes and what to do, and neither prompt nor key: %s',
    async (_title, script, fields, advice) => {
      const scripted = await models.server(script);
      const other = await models.server(saying('Hello'));
      const settings = { baseUrl: scripted.url, fallbacks: ['other'] };
      const model = await models.open({ main: modelSettings(settings), other: modelSettings({ baseUrl: other.url }) });
      await model.run(request, new CollectedText());
      const line = models.logged.find((logged) => 'fallback' in logged);
      const place = { provider: 'openai', model: 'scripted', entry: 'models.main' };
      expect(line).toMatchObject({ ...place, ...fields, advice: expect.stringMatching(advice) as string });
      expect(JSON.stringify(models.logged)).not.toContain(prompt);
      expect(JSON.stringify(models.logged)).not.toContain(secretKey);
    },
  );

  // proves configuration-4-14
  it('has them in the line about retries, and over a package', async () => {
    const overloaded = Object.assign(new Error('no'), { status: 503, code: 'overloaded', param: 'model' });
    const chat = new PackageChat(overloaded, [{ content: 'ok' }]);
    const settings = { api: 'chat', ...modelBounds, maxRetries: 1, fallbacks: [], plugin: 'mine' } as const;
    const model = await models.open({ main: settings }, { mine: chat });
    await model.run(request, new CollectedText());
    expect(models.logged).toContainEqual(
      expect.objectContaining({
        message: 'model call retried',
        retries: 1,
        provider: 'plugin',
        entry: 'models.main',
        status: 503,
        providerCode: 'overloaded',
        param: 'model',
      }),
    );
  });

  // proves configuration-4-14
  it('has the code of an error in the stream, and that of Amazon’s client', async () => {
    const line = { error: { message: 'no', code: 'server_busy', param: 'model', status: 503 } };
    const scripted = await models.server(sending(`data: ${JSON.stringify(line)}\n\n`));
    const wire = await models.openOn(scripted);
    expect(await faultOf(wire.run(request, new CollectedText()))).toMatchObject({
      ...{ status: 503, providerCode: 'server_busy', param: 'model' },
    });
    const denied = { name: 'AccessDeniedException', $metadata: { httpStatusCode: 403 } };
    const chat = new PackageChat(Object.assign(new Error('no'), denied));
    const settings = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [], plugin: 'mine' } as const;
    const amazon = await models.open({ main: settings }, { mine: chat });
    expect((await faultOf(amazon.run(request, new CollectedText()))).fields).toMatchObject({
      status: 403,
      providerCode: 'AccessDeniedException',
      advice: 'The key is refused: check apiKey of models.main.',
    });
  });

  // proves configuration-4-16
  it('is counted by its status and code, and codes that providers make up have one label at last', async () => {
    const page = new MetricsPage();
    const metrics = createGenAiMetrics(page);
    const scripted = await models.server(failing(401, { body: { error: { code: 'invalid_api_key', message: 'no' } } }));
    const model = await models.openOn(scripted);
    await faultOf(model.run(request, new CollectedText()));
    const [call] = models.counted;
    if (call === undefined) throw new Error('nothing was counted');
    metrics.modelCalled(call);
    for (let code = 0; code < 60; code += 1)
      metrics.modelCalled({ ...call, status: 500, providerCode: `c${String(code)}` });
    const text = page
      .families()
      .map((family) => familyText(family))
      .join('\n');
    const series = 'helperagent_model_faults_total{provider="openai",model="scripted",error="model_unavailable"';
    expect(text).toContain(`${series},status="401",code="invalid_api_key"} 1`);
    expect(text).toContain(`${series},status="500",code="other"} 11`);
  });
});

describe('the reason of a connection that failed (contract/models.md#faults-for-operators)', () => {
  const openAt = (baseUrl: string) => models.open({ main: modelSettings({ baseUrl, contextWindow: 64_000 }) });

  // proves configuration-4-17
  it('is that of an address, where a host has several', async () => {
    const model = await openAt(`http://localhost:${String(await freePort())}/v1`);
    const { message, site } = await faultOf(model.run(request, new CollectedText()));
    expect(message).toMatch(/^the connection to the model failed: connect ECONNREFUSED .+ \(ECONNREFUSED\)$/);
    expect(site?.advice).toMatch(/^Nobody listens at the address/);
  });

  // proves configuration-4-17
  it('is that of the name of a host', async () => {
    const { message, site } = await faultOf((await openAt('http://no.invalid/v1')).run(request, new CollectedText()));
    expect(message).toMatch(/(?:ENOTFOUND|EAI_AGAIN) no\.invalid/);
    expect(site?.advice).toMatch(/^The name of the host is not known: check baseUrl of models\.main/);
  });

  // proves configuration-4-17
  it('is that of a server that speaks no TLS', async () => {
    const scripted = await models.server();
    const { message, site } = await faultOf(
      (await openAt(scripted.url.replace('http:', 'https:'))).run(request, new CollectedText()),
    );
    expect(message).toMatch(/\((?:ERR_SSL_|EPROTO)\w*\)$/);
    expect(site?.advice).toContain('models.main');
  });

  // proves configuration-4-15, configuration-4-17
  it('names the proxy that could not be reached', async () => {
    const before = currentNetwork();
    const proxy = `http://127.0.0.1:${String(await freePort())}`;
    onTestFinished(() => useNetwork(before));
    useNetwork({ proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }, ca: [] });
    for (const url of ['http://models.example.com/v1', 'https://models.example.com/v1']) {
      const { message, site } = await faultOf((await openAt(url)).run(request, new CollectedText()));
      expect(message).toContain(`the connection to the model failed: through the proxy ${proxy}`);
      expect(message).toContain('ECONNREFUSED');
      expect(site?.advice).toMatch(/^The proxy does not let the request through: check network\.proxy/);
    }
  });

  // proves configuration-4-17
  it('is looked for inside what a package throws', async () => {
    const [one, two] = ['10.0.0.1', '10.0.0.2'].map((address) =>
      Object.assign(new Error(`connect ETIMEDOUT ${address}:443`), { code: 'ETIMEDOUT' }),
    );
    const outer = new Error('Connection error.', {
      cause: new TypeError('fetch failed', {
        cause: Object.assign(new AggregateError([one, two]), { code: 'ETIMEDOUT' }),
      }),
    });
    const chat = new PackageChat(outer);
    const settings = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [], plugin: 'mine' } as const;
    const model = await models.open({ main: settings }, { mine: chat });
    const { message } = await faultOf(model.run(request, new CollectedText()));
    expect(message).toContain('connect ETIMEDOUT 10.0.0.1:443 (ETIMEDOUT)');
  });

  // proves configuration-4-17
  it.each<readonly [string, unknown, string | undefined]>([
    ['an error without words', Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET'],
    ['a list that is empty', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    ['something else, whose words may be anything', new Error(prompt), undefined],
    ['a text', 'ECONNRESET', undefined],
    ['a code that is no name', Object.assign(new Error('x'), { code: prompt }), undefined],
  ])('is never empty: %s', (_title, error, reason) => {
    expect(connectionReason(error)).toBe(reason);
  });

  // proves configuration-4-15
  it('is followed by what to do about a model that is silent', async () => {
    const model = await models.openOn(await models.server(hangingAfter('')), { timeout: 50 });
    const { site } = await faultOf(model.run(request, new CollectedText()));
    expect(site?.advice).toMatch(
      /^The model was silent or slow for too long: raise timeout or totalTimeout of models\.main/,
    );
  });
});
