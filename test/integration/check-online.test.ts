import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CheckJson } from '../../src/cli/check-json.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';
import { folderOf } from '../support/skill-folder.ts';
import { rsaKeyPair, tokenSecret } from '../support/tokens.ts';
import { secretKey } from '../support/opened-models.ts';
import {
  calling,
  ending,
  failing,
  hangingAfter,
  type ModelScript,
  saying,
  sending,
  startScriptedModel,
} from '../support/scripted-model.ts';

/** Runs the check over these entries of `models`. */
async function check(models: object, { words = [] as readonly string[], settings = {} } = {}) {
  const folder = folderOf({});
  const config = join(folder.path, 'helper.yaml');
  const answering = { chatClient: Object.keys(models)[0], actions: 'none' };
  writeFileSync(config, JSON.stringify({ appName: 'Secret project', ...answering, models, ...settings }));
  const context = fakeContext(folder.path);
  const code = await runCommand(['check', '--config', config, ...words], context);
  return { code, text: context.written() + context.complained() };
}

async function scripted(...scripts: readonly ModelScript[]) {
  const server = await startScriptedModel({ scripts });
  onTestFinished(() => server.close());
  return server;
}

const entry = (url: string, more: object = {}): object => ({
  provider: 'openai',
  baseUrl: url,
  model: 'scripted',
  apiKey: secretKey,
  ...more,
});
const confirming = calling({ name: 'confirm', arguments: { word: 'ready' } });
const online = ['--online', '--json'] as const;
const trialsIn = (text: string): readonly CheckJson['models'][number]['online'][] =>
  (JSON.parse(text) as CheckJson).models.map(({ online: trial }) => trial); // what the command has printed

describe('helper check (contract/configuration.md#commands)', () => {
  // proves configuration-4-18
  it.each<readonly [string, object, object, RegExp]>([
    [
      'a named provider of OpenAI’s way',
      { provider: 'deepseek', model: 'deepseek-chat', apiKey: secretKey },
      { speaks: 'chat completions', at: 'https://api.deepseek.com/v1', over: null, provider: 'deepseek' },
      /main +deepseek +deepseek-chat +chat completions at https:\/\/api\.deepseek\.com\/v1\n/,
    ],
    [
      'Anthropic',
      { provider: 'anthropic', model: 'claude-x', apiKey: secretKey },
      { speaks: 'Anthropic Messages', at: null, over: '@langchain/anthropic' },
      /main +anthropic +claude-x +Anthropic Messages over @langchain\/anthropic\n/,
    ],
    [
      'the Responses API',
      { provider: 'openai', model: 'gpt-x', apiKey: secretKey, api: 'responses' },
      { speaks: 'Responses', at: 'https://api.openai.com/v1', over: '@langchain/openai' },
      /Responses at https:\/\/api\.openai\.com\/v1 over @langchain\/openai\n/,
    ],
    [
      'an address with a secret in its query',
      entry(`http://127.0.0.1:1/v1?key=${secretKey}`),
      { speaks: 'chat completions', at: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/v1/) as string },
      /chat completions at http:\/\/127\.0\.0\.1:1\/v1/,
    ],
    [
      'Azure',
      {
        ...{ provider: 'azure', endpoint: 'https://me.openai.azure.com/', deployment: 'gpt', apiVersion: '2024-10-21' },
        apiKey: secretKey,
      },
      { model: 'gpt', at: 'https://me.openai.azure.com/openai/deployments/gpt' },
      /main +azure +gpt +chat completions at https:\/\/me\.openai\.azure\.com\/openai\/deployments\/gpt\n/,
    ],
    [
      'a package',
      { provider: '@langchain/openai', class: 'ChatOpenAI', model: 'gpt-x', apiKey: secretKey },
      { speaks: 'ChatOpenAI', at: null, over: '@langchain/openai' },
      /ChatOpenAI over @langchain\/openai\n/,
    ],
    [
      'the demo',
      { provider: 'demo' },
      { speaks: 'a demo without a model', at: null },
      /main +demo +- +a demo without a model\n/,
    ],
  ])('says what a model speaks: %s', async (_title, model, expected, line) => {
    const { code, text } = await check({ main: model });
    expect(text).toMatch(line);
    expect(text).not.toContain(secretKey);
    expect(code).toBe(0);
    const json = await check({ main: model }, { words: ['--json'] });
    expect((JSON.parse(json.text) as CheckJson).models).toMatchObject([{ name: 'main', online: null, ...expected }]);
    expect(json.text).not.toContain(secretKey);
  });

  // proves configuration-4-18
  it('names the plugin of a model, and the API that hosted tools need', async () => {
    const plugin = `export class ChatMine {
      async *stream() { yield { content: 'ok' }; }
      bindTools() { return this; }
    }
    export default { name: 'mine', models: { ours: new ChatMine() } };`;
    const folder = folderOf({ 'plugins/mine/index.js': plugin });
    mkdirSync(join(folder.path, 'data'));
    const models = { main: { plugin: 'ours' }, other: { provider: 'openai', model: 'gpt-x', apiKey: secretKey } };
    const settings = { actions: { plugins: [join(folder.path, 'plugins')] } };
    const { text } = await check(models, { settings });
    expect(text).toMatch(/main +plugin +- +a model of a plugin over ours\n/);
    const hosted = await check({ main: models.other }, { settings: { hostedTools: ['WebSearch'] } });
    expect(hosted.text).toContain('Responses at https://api.openai.com/v1');
  });
});

describe('helper check --online (contract/configuration.md#commands)', () => {
  // proves configuration-4-19, configuration-4-20, configuration-4-21
  it('asks each entry once, those that nothing uses included, and says what came back', async () => {
    const [main, spare, vectors] = [
      await scripted(confirming),
      await scripted(saying('ready')),
      await startEmbeddingServer(),
    ];
    const models = {
      main: entry(main.url, { fallbacks: ['spare'], temperature: 1 }),
      spare: entry(spare.url),
      vectors: { kind: 'embeddings', ...entry(vectors.url) },
      demo: { provider: 'demo' },
    };
    const { code, text } = await check(models, {
      words: ['--online'],
      settings: { appDescription: 'Everything of it' },
    });
    expect(code).toBe(0);
    expect(text).toMatch(/main +works +called the tool, 12 tokens in, 5 out, \d+\.\d s\n/);
    expect(text).toMatch(/spare +works +answered with text and did not call the tool, 12 tokens in, 5 out/);
    expect(text).toMatch(/vectors +works +a vector of \d+ numbers/);
    expect(text).toMatch(/demo +works/);
    expect(main.requests).toHaveLength(1);
    expect(spare.requests).toHaveLength(1);
    const [sent] = main.requests;
    expect(sent?.body).toMatchObject({ max_tokens: 1024, tools: [{ function: { name: 'confirm' } }] });
    expect(JSON.stringify(sent?.body)).not.toMatch(/Secret project|Everything of it/);
    expect(text).not.toContain(secretKey);
  });

  // proves configuration-4-19, configuration-4-20, configuration-4-21
  it('exits with 1 and says what to do where one fails, without retries and fallbacks', async () => {
    const refused = failing(401, { body: { error: { message: `no ${secretKey}`, code: 'invalid_api_key' } } });
    const [main, spare] = [await scripted(refused, refused, refused), await scripted(confirming, confirming)];
    const models = { main: entry(main.url, { maxRetries: 3, fallbacks: ['spare'] }), spare: entry(spare.url) };
    const { code, text } = await check(models, { words: ['--online'] });
    expect(code).toBe(1);
    expect(text).toMatch(
      /main +FAILS +the model answered 401 \(invalid_api_key\).+The key is refused: check apiKey of models\.main\.\n/,
    );
    expect(text).toMatch(/spare +works/);
    expect(text).not.toContain(secretKey);
    expect(main.requests).toHaveLength(1);
    expect(spare.requests).toHaveLength(1);
    const json = await check(models, { words: online });
    expect(json.code).toBe(1);
    expect(trialsIn(json.text)).toEqual([
      {
        ...{ ok: false, said: null, inputTokens: 0, outputTokens: 0, dimensions: null },
        durationMs: expect.any(Number) as number,
        fault: {
          message: expect.stringMatching(/^the model answered 401 \(invalid_api_key\)/) as string,
          advice: 'The key is refused: check apiKey of models.main.',
          status: 401,
          code: 'invalid_api_key',
          param: null,
        },
      },
      expect.objectContaining({ ok: true, said: 'call' }),
    ]);
  });

  // proves configuration-4-20, configuration-4-21
  it.each<readonly [string, ModelScript, object, number]>([
    ['a model that only thinks', sending(ending('length')), { ok: true, said: 'nothing', fault: null }, 0],
    [
      'a model that is not there',
      failing(404, { body: { error: { message: 'no such model', code: 'model_not_found' } } }),
      {
        ok: false,
        fault: expect.objectContaining({
          code: 'model_not_found',
          advice: 'The provider knows no such model or address: check model, deployment and baseUrl of models.main.',
        }) as object,
      },
      1,
    ],
  ])('knows %s', async (_title, script, expected, exit) => {
    const { code, text } = await check({ main: entry((await scripted(script)).url) }, { words: online });
    expect(trialsIn(text)).toMatchObject([expected]);
    expect(code).toBe(exit);
  });

  // proves configuration-4-19, configuration-4-21
  it('waits no longer for a silent model than its entry says', async () => {
    const server = await scripted(hangingAfter(''));
    const { code, text } = await check({ main: entry(server.url, { timeout: '100ms' }) }, { words: online });
    expect(trialsIn(text)).toMatchObject([
      {
        ok: false,
        fault: {
          message: 'the model was silent for 100 ms',
          advice: expect.stringContaining('raise timeout') as string,
        },
      },
    ]);
    expect(code).toBe(1);
  });

  // proves configuration-4-20, configuration-4-21
  it('tells a vector that cannot be had, and a package that is not there', async () => {
    const server = await scripted(failing(400, { body: { error: { message: 'no', code: 'model_not_found' } } }));
    const models = {
      main: { provider: 'demo' },
      vectors: { kind: 'embeddings', ...entry(server.url) },
      missing: { provider: '@langchain/nobody-has-this', class: 'ChatNobody' },
    };
    const { code, text } = await check(models, { words: ['--online'] });
    expect(code).toBe(1);
    expect(text).toMatch(
      /vectors +FAILS +the model answered 400 .+check model, deployment and baseUrl of models\.vectors\.\n/,
    );
    expect(text).toMatch(/missing +FAILS +.+npm i @langchain\/nobody-has-this/);
  });

  // proves configuration-4-20
  it('asks nobody where the configuration has a fault', async () => {
    const server = await scripted();
    const { code } = await check({ main: entry(server.url) }, { words: ['--online'], settings: { prot: 1 } });
    expect(code).toBe(78);
    expect(server.requests).toHaveLength(0);
  });
});

describe('helper check --online with issuers of tokens (contract/configuration.md#commands)', () => {
  const demo = { main: { provider: 'demo' } };

  /** An issuer that publishes these keys. */
  async function publishing(keys: readonly object[]) {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url === '/keys' ? { keys } : { issuer: url(), jwks_uri: `${url()}/keys` }));
    });
    const url = (): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`; // it listens on TCP
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return url();
  }

  // proves configuration-4-51
  it('fetches their keys, and says what a token must have', async () => {
    const url = await publishing([rsaKeyPair('one').jwk, { kty: 'oct', k: 'c2VjcmV0' }]);
    const jwt = [
      { issuer: url, clients: ['web', 'app'], roleClaim: 'groups' },
      { secret: tokenSecret, audience: 'desk' },
    ];
    const { code, text } = await check(demo, { words: ['--online'], settings: { auth: { jwt } } });
    expect(text).toMatch(/Sign-in, asked now\n/);
    expect(text).toMatch(
      /auth\.jwt\[0\] +works +1 that sign tokens, 1 of other kinds or too short +iss: http:\/\/127\.0\.0\.1:\d+; client_id, azp, cid or appid, else aud: web or app; exp; roles: groups, role, roles\n/,
    );
    expect(text).toMatch(/auth\.jwt\[1\] +works +in the settings +aud: desk; exp; roles: role, roles\n/);
    expect(text).not.toContain(tokenSecret);
    expect(code).toBe(0);
  });

  // proves configuration-4-51
  it('fails where there are none, and says why', async () => {
    const empty = await publishing([]);
    const jwt = { issuer: [empty, 'http://127.0.0.1:1'], audience: 'desk' };
    const { code, text } = await check(demo, { words: online, settings: { auth: { jwt } } });
    const { signIn } = JSON.parse(text) as CheckJson; // what the command has printed
    expect(signIn).toMatchObject([
      { entry: 'auth.jwt', ok: false, keys: '0 that sign tokens' },
      {
        entry: 'auth.jwt',
        ok: false,
        keys: expect.stringContaining(
          'http://127.0.0.1:1/.well-known/openid-configuration cannot be reached: ',
        ) as unknown,
      },
    ]);
    expect(code).toBe(1);
    const offline = await check(demo, { words: ['--json'], settings: { auth: { jwt } } });
    expect((JSON.parse(offline.text) as CheckJson).signIn).toBeNull();
  });
});
