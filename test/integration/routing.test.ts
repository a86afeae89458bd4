import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { hardMessages } from '../../src/core/routing/hard-messages.ts';
import { a2aClient, asking, replyOf, taskOf } from '../support/a2a-client.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { hubOf } from '../support/remembering.ts';
import { calling, failing, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

interface Started {
  readonly models?: object;
  /** The answers of the model that is asked which model should reply. */
  readonly verdicts?: readonly ModelScript[];
  readonly plugin?: string;
  /** The scripts of the strong model. */
  readonly strongScripts?: readonly ModelScript[];
  /** The first scripts of the usual model. */
  readonly usualScripts?: readonly ModelScript[];
}

const ofUsual = { status: 'completed', text: 'From the usual one.', usage: { model: 'scripted' } };
const ofStrong = { status: 'completed', text: 'From the strong one.', usage: { model: 'strong' } };

/** A server with a usual and a strong model, and one that may be asked which of them answers. */
async function start(
  settings: object,
  { models, verdicts = [], plugin, strongScripts = [], usualScripts = [] }: Started = {},
) {
  const strong = await startScriptedModel({ scripts: strongScripts, otherwise: saying('From the strong one.') });
  const judge = await startScriptedModel({ scripts: verdicts, otherwise: failing(500) });
  for (const model of [strong, judge]) onTestFinished(() => model.close());
  const server = await scriptedServer({
    scripts: [...usualScripts, ...Array<ModelScript>(20).fill(saying('From the usual one.'))],
    ...(plugin === undefined ? {} : { plugin }),
    models: { strong: entry(strong.url, 'strong'), judge: entry(judge.url, 'judge'), ...models },
    settings: { strongChatClient: 'strong', ...settings },
  });
  const say = async (message: string) => {
    const chat = await openSse(`${server.url}/helper/chat`, { body: { message } });
    return (await chat.next('end')).data;
  };
  return { ...server, strong, judge, say };
}

function entry(baseUrl: string, model: string): object {
  return { provider: 'openai', baseUrl, model, apiKey: 'none', maxRetries: 0 };
}

/** The models that `TurnStarted` and `TurnCompleted` name for one message. Undefined stands for none. */
async function modelsOf(url: string, message: string): Promise<readonly unknown[]> {
  const hub = await hubOf(url);
  const told: unknown[] = [];
  hub.on('TurnStarted', ({ model }: { readonly model?: string }) => told.push(model));
  hub.on('TurnCompleted', ({ usage }: { readonly usage: { readonly model: string } }) => told.push(usage.model));
  await hub.invoke('SendMessage', message);
  return told;
}

const plugin = (hooks: string): string => `
export default { name: 'own', actions: [{ name: 'look_up', description: 'Looks it up.', parameters: { type: 'object', additionalProperties: true }, readOnly: true, execute: () => 'it' }],
  hooks: { ${hooks} } }`;

describe('a strong model by a pattern (contract/models.md#routing)', () => {
  // proves service-2.14-11, service-2.14-19
  it('answers the messages in which the pattern finds something, and TurnStarted names it', async () => {
    const { url, say } = await start({ useStrongModel: { pattern: '\\bcompare\\b' } });
    expect(await say('Please compare these.')).toMatchObject(ofStrong);
    expect(await say('Hello')).toMatchObject(ofUsual);
    expect(await modelsOf(url, 'Please compare these.')).toEqual(['strong', 'strong']);
    expect(await modelsOf(url, 'Hello')).toEqual(['scripted', 'scripted']);
    const page = await (await fetch(`${url}/metrics`)).text();
    expect(page).toMatch(/helperagent_tokens_total\{direction="output",model="strong"\} [1-9]/);
  });

  // proves service-2.14-18
  it('answers all rounds of its turn', async () => {
    const { say, model, strong } = await start(
      { useStrongModel: { pattern: 'compare' } },
      { plugin: plugin(''), strongScripts: [calling({ name: 'look_up', arguments: {} })] },
    );
    expect(await say('compare')).toMatchObject(ofStrong);
    expect([strong.requests.length, model.requests.length]).toEqual([2, 0]);
  });
});

describe('a strong model and the layers of plugins (contract/models.md#own-layers)', () => {
  // proves service-2.14-20
  it('has them around it as chatClient has', async () => {
    const around = `configureChatClientPipeline: (model) => ({
      run: (request, sink) => model.run({ ...request, instructions: 'Layered. ' + request.instructions }, sink) })`;
    const { say, strong, model } = await start({ useStrongModel: { pattern: 'hard' } }, { plugin: plugin(around) });
    expect(await say('a hard one')).toMatchObject(ofStrong);
    expect(await say('Hello')).toMatchObject(ofUsual);
    for (const asked of [strong, model]) expect(JSON.stringify(asked.requests[0]?.body)).toContain('Layered. ');
  });
});

describe('what a strong model takes (contract/limits.md#budgets)', () => {
  // proves service-2.14-20
  it('is paid out of budgets like all models', async () => {
    const budgets = [{ per: 'day', cost: 0.001, then: 'downgrade' }];
    const modelPricing = { strong: { inputPer1M: 100, outputPer1M: 100 }, scripted: { inputPer1M: 1, outputPer1M: 1 } };
    const { say } = await start({ useStrongModel: { pattern: 'hard' }, budgets, modelPricing });
    // 17 tokens of the strong model cost 0.0017, so the budget is used up. `chatClient` is then the cheapest model.
    expect(await say('a hard one')).toMatchObject(ofStrong);
    expect(await say('a hard one')).toMatchObject(ofUsual);
  });
});

describe('a strong model by hooks of plugins (contract/models.md#routing)', () => {
  // proves service-2.14-11, service-2.14-19, wire-2-72
  it('answers where a hook says so, and TurnStarted names no model before that', async () => {
    const hooks = "useStrongModel: (text) => text.includes('hard')";
    const { url, say } = await start({ useStrongModel: { pattern: 'compare' } }, { plugin: plugin(hooks) });
    expect(await say('a hard one')).toMatchObject(ofStrong);
    expect(await say('compare')).toMatchObject(ofStrong);
    expect(await say('Hello')).toMatchObject(ofUsual);
    expect(await modelsOf(url, 'a hard one')).toEqual([undefined, 'strong']);
    expect(await modelsOf(url, 'Hello')).toEqual([undefined, 'scripted']);
  });

  // proves service-2.14-12
  it('goes by useStrongModelAsync alone where there is one, which sees the conversation', async () => {
    const hooks = `useStrongModel: () => true,
      useStrongModelAsync: async (messages, signal) => signal instanceof AbortSignal && messages.length === 3 && messages.at(-1).text === 'two'`;
    const { url } = await start({ useStrongModel: { pattern: '.' } }, { plugin: plugin(hooks) });
    const hub = await hubOf(url);
    expect(await hub.invoke('SendMessage', 'one')).toMatchObject({ text: ofUsual.text });
    expect(await hub.invoke('SendMessage', 'two')).toMatchObject({ text: ofStrong.text });
  });

  // proves service-2.14-17
  it.each([
    ['throws', "() => { throw new Error('no') }"],
    ['says something else', "() => 'strong'"],
  ])('leaves the message to chatClient when a hook %s', async (_what, hook) => {
    const { say } = await start({}, { plugin: plugin(`useStrongModel: ${hook}`) });
    expect(await say('Hello')).toMatchObject(ofUsual);
  });
});

describe('a strong model by a question (contract/models.md#routing)', () => {
  // proves service-2.14-14, service-2.14-15
  it.each(['Classifier', 'Cascade'])('answers where the model that is asked says so: %s', async (routingStrategy) => {
    const { say, judge, url } = await start(
      { routingStrategy, routingClassifierClient: 'judge' },
      { verdicts: [saying('{"answer": true}'), saying('{"answer": false}'), saying('{"answer": true}')] },
    );
    expect(await say('A hard one')).toMatchObject(ofStrong);
    expect(await say('Hello')).toMatchObject(ofUsual);
    expect(await modelsOf(url, 'A hard one')).toEqual([undefined, 'strong']);
    const { body } = await judge.request(0);
    expect(body).toMatchObject({ temperature: 0, response_format: { type: 'json_object' } });
    const [system, user] = body['messages'] as readonly { readonly content: string }[]; // OpenAI's protocol has this shape
    const [first = '', ...rest] = user?.content.split('\n') ?? [];
    expect(rest).toEqual(['A hard one', first]);
    expect(system?.content).toContain(first);
  });

  // proves service-2.14-14
  it('is asked of chatClient where routingClassifierClient is left out', async () => {
    const { say, model } = await start({ routingStrategy: 'Classifier' });
    // The usual model says something that is no verdict.
    expect(await say('Hello')).toMatchObject(ofUsual);
    expect(model.requests).toHaveLength(2);
  });

  // proves service-2.14-14, service-2.14-17
  it.each([
    ['prose', saying('It is hard.')],
    ['another form', saying('{"hard": true}')],
    ['a text', saying('{"answer": "true"}')],
    ['a fault', failing(500)],
  ])('leaves the message to chatClient with %s', async (_what, verdict) => {
    const settings = { routingStrategy: 'Classifier', routingClassifierClient: 'judge' };
    const { say } = await start(settings, { verdicts: [verdict] });
    expect(await say('A hard one')).toMatchObject(ofUsual);
  });
});

describe('a strong model in place of a reply that is not good enough (contract/models.md#routing)', () => {
  const settings = {
    routingStrategy: 'Cascade',
    routingClassifierClient: 'judge',
    endpoints: { openai: { enabled: true, requireAuthorization: false } },
    a2aServerEnabled: true,
  };
  const [enough, tooWeak] = [saying('{"answer": false}'), saying('{"answer": true}')];

  async function asked(started: Started, more: object = {}) {
    const server = await start({ ...settings, ...more }, started);
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
    const whole = async (content: string): Promise<string | null | undefined> => {
      const reply = await client.chat.completions.create({ model: 'x', messages: [{ role: 'user', content }] });
      return reply.choices[0]?.message.content;
    };
    return { ...server, client, whole };
  }

  // proves service-2.14-21
  it('leaves the reply of chatClient where it is good enough', async () => {
    const { whole, strong, judge } = await asked({ verdicts: [enough] });
    expect(await whole('Hello')).toBe(ofUsual.text);
    expect(strong.requests).toEqual([]);
    const [, user] = judge.requests[0]?.body['messages'] as readonly { readonly content: string }[]; // OpenAI's form
    const lines = user?.content.split('\n') ?? [];
    expect(lines).toEqual([
      'The message:',
      lines[1],
      'Hello',
      lines[1],
      'The reply:',
      lines[1],
      ofUsual.text,
      lines[1],
    ]);
  });

  // proves service-2.14-21
  it('has the strong model answer where it is not, for tasks of other agents as well', async () => {
    const { whole, url } = await asked({ verdicts: [tooWeak, tooWeak] });
    expect(await whole('A hard one')).toBe(ofStrong.text);
    const client = await a2aClient(url);
    expect(replyOf(await taskOf(client.sendMessage(asking('A hard one'))))).toBe(ofStrong.text);
  });

  /** An action that counts how often it has run, in this process. */
  const counting = (name: string, more: string): string => `
globalThis.cascadeRan = [];
export default { name: 'own', actions: [{ name: '${name}', description: 'Does it.', parameters: { type: 'object', additionalProperties: true }, ${more}
  execute: () => { globalThis.cascadeRan.push('${name}'); return 'The result.'; } }] };`;
  const ran = (): readonly string[] => (globalThis as { cascadeRan?: string[] }).cascadeRan ?? [];
  const using = (name: string): readonly ModelScript[] => [calling({ name, arguments: {} })];

  // proves service-2.14-21
  it('gives the strong model what was looked up, which is looked up once', async () => {
    const own = counting('look_up', 'readOnly: true,');
    const { whole, strong } = await asked({ verdicts: [tooWeak], plugin: own, usualScripts: using('look_up') });
    expect(await whole('Look it up')).toBe(ofStrong.text);
    expect(ran()).toEqual(['look_up']);
    expect(strong.requests).toHaveLength(1);
    const sent = JSON.stringify(strong.requests[0]?.body['messages']);
    expect(sent).toContain('The result.');
    expect(sent).not.toContain(ofUsual.text);
  });

  // proves service-2.14-22
  it('never does anything twice: a reply after a change stands, and is not judged', async () => {
    const own = counting('book', '');
    const started = { verdicts: [tooWeak], plugin: own, usualScripts: using('book') };
    const { whole, strong, judge } = await asked(started, { requireConfirmation: false });
    expect(await whole('Book it')).toBe(ofUsual.text);
    expect(ran()).toEqual(['book']);
    expect([strong.requests.length, judge.requests.length]).toEqual([0, 0]);
  });

  // proves service-2.14-22
  it.each([
    ['prose', saying('It is weak.')],
    ['another form', saying('{"weak": true}')],
    ['a fault', failing(500)],
  ])('leaves the reply of chatClient with %s', async (_what, verdict) => {
    const { whole, strong } = await asked({ verdicts: [verdict] });
    expect(await whole('A hard one')).toBe(ofUsual.text);
    expect(strong.requests).toEqual([]);
  });

  // proves service-2.14-21
  it('is the choice beforehand where the reply is streamed', async () => {
    const { client, judge } = await asked({ verdicts: [tooWeak] });
    const stream = await client.chat.completions.create({
      model: 'x',
      stream: true,
      messages: [{ role: 'user', content: 'A hard one' }],
    });
    const said: string[] = [];
    for await (const { choices } of stream) said.push(choices[0]?.delta.content ?? '');
    expect(said.join('')).toBe(ofStrong.text);
    expect(JSON.stringify(judge.requests[0]?.body)).not.toContain('The reply:');
  });
});

describe('a strong model by meaning (contract/models.md#routing)', () => {
  async function semantic(settings: object) {
    const vectors = await startEmbeddingServer();
    const models = {
      vectors: { kind: 'embeddings', provider: 'openai', baseUrl: vectors.url, model: 'words', apiKey: 'none' },
    };
    const routing = { routingStrategy: 'Semantic', embeddingGenerator: 'vectors', ...settings };
    return { vectors, ...(await start(routing, { models })) };
  }

  // proves service-2.14-13
  it('answers what is near one of the exemplars, whose vectors are made once', async () => {
    const exemplars = ['compare contracts with each other', 'plan a migration'];
    const { say, vectors } = await semantic({ routingComplexExemplars: exemplars, routingThreshold: 0.6 });
    expect(await say('compare contracts')).toMatchObject(ofStrong);
    expect(await say('good morning')).toMatchObject(ofUsual);
    expect(vectors.texts().filter((text) => exemplars.includes(text))).toHaveLength(2);
  });

  // proves service-2.14-13
  it('is stricter with a higher threshold', async () => {
    const exemplars = ['compare contracts with each other'];
    const { say } = await semantic({ routingComplexExemplars: exemplars, routingThreshold: 0.99 });
    expect(await say('compare contracts')).toMatchObject(ofUsual);
    expect(await say('compare contracts with each other')).toMatchObject(ofStrong);
  });

  // proves service-2.14-13
  it('has a set of its own in all ten languages', async () => {
    const { say, vectors } = await semantic({ routingThreshold: 0.9 });
    for (const message of [hardMessages[0], hardMessages.at(-1)])
      expect(await say(message ?? '')).toMatchObject(ofStrong);
    expect(vectors.texts()).toEqual(expect.arrayContaining([...hardMessages]));
  });

  // proves service-2.14-17
  it('leaves the message to chatClient while there are no vectors, and asks for them again', async () => {
    const { say, vectors } = await semantic({ routingComplexExemplars: ['compare'], routingThreshold: 0.5 });
    vectors.answerWith((_request, response) => {
      response.writeHead(400).end('{}');
    });
    expect(await say('compare')).toMatchObject(ofUsual);
    vectors.answerWith(undefined);
    expect(await say('compare it')).toMatchObject(ofStrong);
  });
});

describe('what routing needs (contract/models.md#routing)', () => {
  async function check(settings: object): Promise<{ readonly code: number; readonly text: string }> {
    const directory = mkdtempSync(join(tmpdir(), 'helper-routing-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const models = { main: entry('http://127.0.0.1:1/v1', 'main'), demo: { provider: 'demo' } };
    const base = { appName: 'Test', actions: 'none', chatClient: 'main', models };
    writeFileSync(join(directory, 'helper.yaml'), JSON.stringify({ ...base, ...settings }));
    const context = fakeContext(directory);
    const code = await runCommand(['check', '--config', 'helper.yaml'], context);
    return { code, text: context.written() + context.complained() };
  }
  const said = (text: string): string => expect.stringContaining(text) as string;

  // proves service-2.14-16
  it.each([
    ['Custom without a way to tell', {}, 'routingStrategy: Custom needs useStrongModel'],
    [
      'Semantic without embeddings',
      { routingStrategy: 'Semantic' },
      'routingStrategy: Semantic needs embeddingGenerator',
    ],
    [
      'a question to the demo model',
      { routingStrategy: 'Cascade', routingClassifierClient: 'demo' },
      'the demo model cannot',
    ],
    ['no strong model', { strongChatClient: undefined, routingStrategy: 'Semantic' }, 'strongChatClient is not set'],
    [
      'a pattern alone',
      { strongChatClient: undefined, useStrongModel: { pattern: 'x' } },
      'strongChatClient is not set',
    ],
  ])('is warned of with %s', async (_what, settings, message) => {
    const { code, text } = await check({ strongChatClient: 'main', ...settings });
    expect({ code, text }).toEqual({ code: 0, text: said('HLP1095') });
    expect(text.replace(/\s+/g, ' ')).toContain(message);
  });

  // proves service-2.14-16
  it('is warned of what has no effect', async () => {
    const settings = { strongChatClient: 'main', useStrongModel: { pattern: 'x' }, routingThreshold: 0.5 };
    const { text } = await check(settings);
    expect(text.replace(/\s+/g, ' ')).toContain(
      'HLP1036 routingThreshold has no effect: set routingStrategy: Semantic, or take it out.',
    );
  });

  // proves service-2.14-16
  it('leaves every message to chatClient where a part is missing', async () => {
    const { say } = await start({ routingStrategy: 'Semantic' });
    expect(await say('Compare these with their pros and cons')).toMatchObject(ofUsual);
  });

  it.each([
    // proves service-2.14-10
    ['a name of no model', { strongChatClient: 'nope' }, 'strongChatClient: "nope" names no entry of models'],
    ['one of no model that is asked', { routingClassifierClient: 'nope' }, 'routingClassifierClient: "nope" names no'],
    // proves configuration-2-94, service-2.14-10
    ['a pattern that can take for ever', { useStrongModel: { pattern: '^(a|a)*b$' } }, 'can backtrack without bound'],
    // proves configuration-2-94
    ['a pattern that tries too much from each place', { useStrongModel: { pattern: '.{4096}x' } }, 'to 200 characters'],
  ])('is a fault: %s', async (_what, settings, message) => {
    expect(await check({ strongChatClient: 'main', ...settings })).toMatchObject({ code: 78, text: said(message) });
  });
});
