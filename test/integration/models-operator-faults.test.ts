import { afterEach, describe, expect, it } from 'vitest';
import { fakeTool } from '../support/fake-tool.ts';
import { CollectedText, modelRequest } from '../support/model-requests.ts';
import { modelBounds, modelSettings, OpenedModels } from '../support/opened-models.ts';
import { PackageChat } from '../support/package-chat.ts';
import { calling, chunk, ending, failing, type ModelScript, saying, sending } from '../support/scripted-model.ts';
import { openSse } from '../support/sse-client.ts';
import { testHttp } from '../support/test-http.ts';

const models = new OpenedModels();
afterEach(() => models.close());

const error = (fields: object): object => ({ error: { message: 'no', type: 'invalid_request_error', ...fields } });
const lineOf = (value: object): string => `event: error\ndata: ${JSON.stringify(value)}\n\n`;
const notSetUp = 'The assistant is not set up correctly. Please contact the administrators of this application.';
const noQuota =
  'The assistant has used up its quota with its AI provider. Please contact the administrators of this application.';

/** What an operator has to mend: the answer of the provider, and what it is told as. */
const faults: readonly (readonly [string, ModelScript, string, RegExp, string])[] = [
  [
    'a model that is not there',
    failing(400, { body: error({ code: 'model_not_found' }) }),
    'model_misconfigured',
    /check model, deployment and baseUrl of models\.main\./,
    notSetUp,
  ],
  [
    'a deployment that is not there',
    failing(404, { body: error({ code: 'DeploymentNotFound' }) }),
    'model_misconfigured',
    /check model, deployment and baseUrl of models\.main\./,
    notSetUp,
  ],
  [
    'an address that is not there',
    failing(404, { body: 'Not Found' }),
    'model_misconfigured',
    /check model, deployment and baseUrl of models\.main\./,
    notSetUp,
  ],
  [
    'a model that only words name',
    failing(400, { body: { message: 'gpt-9 is not a valid model ID' } }),
    'model_misconfigured',
    /check model, deployment and baseUrl of models\.main\./,
    notSetUp,
  ],
  [
    'a model that is not there, in the stream',
    sending(lineOf(error({ code: 'model_not_found' }))),
    'model_misconfigured',
    /check model, deployment and baseUrl of models\.main\./,
    notSetUp,
  ],
  [
    'a key that only words name',
    failing(400, { body: { code: 'invalid-argument', error: 'Incorrect API key provided.' } }),
    'model_unavailable',
    /^The key is refused: check apiKey of models\.main\.$/,
    notSetUp,
  ],
  [
    'a key of Google',
    failing(400, {
      body: [error({ status: 'INVALID_ARGUMENT', message: 'API key not valid. Please pass a valid API key.' })],
    }),
    'model_unavailable',
    /^The key is refused: check apiKey of models\.main\.$/,
    notSetUp,
  ],
  [
    'a request that is refused',
    failing(400, { body: error({ message: 'Unsupported value for this model' }) }),
    'model_misconfigured',
    /^The provider refuses the request: check options, temperature and maxOutputTokens of models\.main;/,
    notSetUp,
  ],
  [
    'a request that is refused with a code that nobody knows',
    failing(422, { body: error({ code: 'HTTP_418_ODD', param: 'safety_settings' }) }),
    'model_misconfigured',
    /^The provider refuses the request: check safety_settings in options of models\.main\.$/,
    notSetUp,
  ],
  [
    'a method that the address does not take',
    failing(405, { body: 'Method Not Allowed' }),
    'model_misconfigured',
    /^The provider refuses the request: check options, temperature and maxOutputTokens of models\.main;/,
    notSetUp,
  ],
  [
    'a request that is larger than the rate of its account',
    failing(413, { body: error({ code: 'rate_limit_exceeded' }) }),
    'model_misconfigured',
    /^The provider refuses the request: check options, temperature and maxOutputTokens of models\.main;/,
    notSetUp,
  ],
  [
    'a request that is refused in the stream',
    sending(lineOf({ error: { message: 'Provider returned error', code: 400 } })),
    'model_misconfigured',
    /^The provider refuses the request: check options, temperature and maxOutputTokens of models\.main;/,
    notSetUp,
  ],
  [
    'no quota',
    failing(429, { body: error({ code: 'insufficient_quota' }) }),
    'model_quota_exceeded',
    /no money left/,
    noQuota,
  ],
  [
    'no money',
    failing(402, { body: error({ message: 'Insufficient Balance' }) }),
    'model_quota_exceeded',
    /no money left/,
    noQuota,
  ],
  [
    'no credit of Claude',
    failing(400, { body: error({ message: 'Your credit balance is too low to access the API.' }) }),
    'model_quota_exceeded',
    /no money left/,
    noQuota,
  ],
  [
    'no quota, in the stream',
    sending(lineOf(error({ code: 'insufficient_quota' }))),
    'model_quota_exceeded',
    /no money left/,
    noQuota,
  ],
];

describe('a fault that only an operator can mend (contract/models.md)', () => {
  // proves service-3-61, service-3-62, service-3-63, service-3-65
  it.each(faults)('is not tried again, and its user is told so: %s', async (_title, script, code, message, text) => {
    const scripted = await models.server(script);
    const model = await models.openOn(scripted, { maxRetries: 3 });
    const { url } = await testHttp({ model });
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'hi' } });
    await stream.closed;
    expect(stream.frames.find(({ event }) => event === 'failure')?.data).toMatchObject({
      code,
      message: text,
      retryable: false,
    });
    expect(scripted.requests).toHaveLength(1);
    scripted.script(script);
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code,
      transient: false,
      site: { entry: 'models.main', advice: expect.stringMatching(message) as string },
    });
  });

  // proves service-3-61, service-3-62, service-3-63, service-3-65
  it.each(faults)('is no fault where a fallback answers: %s', async (_title, script) => {
    const scripted = await models.server(script);
    const other = await models.server(saying('Hello'));
    const main = modelSettings({ baseUrl: scripted.url, fallbacks: ['other'] });
    const model = await models.open({ main, other: modelSettings({ baseUrl: other.url }) });
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('Hello');
  });

  // proves service-3-61, service-3-62
  it.each([
    ['model_not_found', 'model_misconfigured'],
    ['insufficient_quota', 'model_quota_exceeded'],
  ])('is known over a package by its code alone: %s', async (name, code) => {
    const chat = new PackageChat(Object.assign(new Error('no'), { code: name }));
    const settings = { api: 'chat', ...modelBounds, maxRetries: 2, fallbacks: [], plugin: 'mine' } as const;
    const model = await models.open({ main: settings }, { mine: chat });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ code, transient: false });
    expect(chat.sent).toHaveLength(1);
  });

  // proves service-3-61, service-3-65, configuration-3-50
  it.each([
    [400, 'The provided model identifier is invalid.', 'model_misconfigured', false, undefined],
    [
      404,
      'Could not resolve the foundation model from the provided model identifier.',
      'model_misconfigured',
      false,
      undefined,
    ],
    [403, 'You do not have access to the model with the specified model ID.', 'model_unavailable', false, 'key'],
    [400, "This model doesn't support the field.", 'model_misconfigured', false, 'request'],
    [429, 'Too many requests, please wait before trying again.', 'model_unavailable', true, undefined],
  ])('is known over the package of Amazon: %i %s', async (httpStatusCode, message, code, transient, refused) => {
    const thrown = Object.assign(new Error(message), { name: 'ValidationException', $metadata: { httpStatusCode } });
    const settings = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [], plugin: 'mine' } as const;
    const model = await models.open({ main: settings }, { mine: new PackageChat(thrown) });
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code,
      transient,
      refused,
    });
  });

  it('is not a rate', async () => {
    const rate = error({ code: 'rate_limit_exceeded', message: 'You exceeded your current quota' });
    const model = await models.openOn(await models.server(failing(429, { body: rate })));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      refused: undefined,
    });
  });
});

describe('a slip of the model (contract/models.md)', () => {
  const slip = error({ code: 'tool_use_failed', failed_generation: '{"name":' });
  const inBody = failing(400, { body: slip });
  const inStream = sending(lineOf(slip));
  const asReason = sending(ending('MALFORMED_FUNCTION_CALL'));
  const afterText = sending(chunk({ content: 'Let me look' }), lineOf(slip));
  const slips: readonly (readonly [string, ModelScript])[] = [
    ['in place of the reply', inBody],
    ['in the stream', inStream],
    ['as the reason of its end', asReason],
  ];

  // proves service-3-64
  it.each(slips)('is asked for again, without a retry: %s', async (_title, script) => {
    const scripted = await models.server(script, script, saying('Hello'));
    const model = await models.openOn(scripted, { maxRetries: 0 });
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('Hello');
  });

  // proves service-3-64
  it.each(slips)('is a fault after the third, and the fallback is asked: %s', async (_title, script) => {
    const scripted = await models.server(script, script, script, script, script, script);
    const main = modelSettings({ baseUrl: scripted.url, maxRetries: 2 });
    await expect((await models.open({ main })).run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      code: 'model_unavailable',
      transient: false,
    });
    expect(scripted.requests).toHaveLength(3);
    const other = await models.server(saying('Hello'));
    const both = { main: { ...main, fallbacks: ['other'] }, other: modelSettings({ baseUrl: other.url }) };
    expect((await (await models.open(both)).run(modelRequest(), new CollectedText())).text).toBe('Hello');
    expect(scripted.requests).toHaveLength(6);
  });

  // proves service-3-64
  it('after the first words takes them back, and the turn goes on', async () => {
    const scripted = await models.server(
      afterText,
      calling({ name: 'get_order', arguments: {} }),
      saying('It is sent.'),
    );
    const toolList = [fakeTool({ name: 'get_order', readOnly: true })];
    const { url } = await testHttp({ model: await models.openOn(scripted), toolList });
    const stream = await openSse(`${url}/helper/chat`, { body: { message: 'Where is it?' } });
    await stream.closed;
    expect(stream.frames.at(-1)?.data).toMatchObject({ status: 'completed', text: 'It is sent.' });
    expect(stream.frames).toContainEqual(
      expect.objectContaining({ event: 'text', data: expect.objectContaining({ replace: true, text: '' }) as object }),
    );
  });

  // proves service-3-64
  it('after words that cannot be taken back is a fault', async () => {
    const scripted = await models.server(afterText);
    const model = await models.openOn(scripted);
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({ code: 'model_unavailable' });
    expect(scripted.requests).toHaveLength(1);
  });

  // proves configuration-4-15
  it('is followed by what to do', async () => {
    const model = await models.openOn(await models.server(inBody, inBody, inBody));
    await expect(model.run(modelRequest(), new CollectedText())).rejects.toMatchObject({
      site: { advice: expect.stringMatching(/^The model writes calls that its provider does not take/) as string },
    });
  });

  // proves service-3-64
  it('over a package is asked for again as well', async () => {
    const thrown = Object.assign(new Error('400 failed'), { status: 400, code: 'tool_use_failed' });
    const chat = new PackageChat(thrown, [{ content: 'Hello' }]);
    const settings = { api: 'chat', ...modelBounds, maxRetries: 0, fallbacks: [], plugin: 'mine' } as const;
    const model = await models.open({ main: settings }, { mine: chat });
    expect((await model.run(modelRequest(), new CollectedText())).text).toBe('Hello');
  });
});
