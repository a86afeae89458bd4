import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareParts } from '../../src/app/open-core.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { recordingLogger } from '../support/quiet.ts';
import { shippedConfiguration, withoutDocuments } from '../support/process-environment.ts';
import { failing, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/plugins.md'), 'utf8');
const example = (name: string): string =>
  new RegExp(`\`\`\`js file=${name}\\.plugin\\.js\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';

const hook = (name: string, body: string): string =>
  `export default { name: '${name}', hooks: { configureChatClientPipeline(model) { ${body} } } };`;
const tagging = (tag: string): string =>
  hook(
    tag,
    `return { ...model, run: (request, sink) =>
       model.run({ ...request, instructions: request.instructions + ' [${tag}]' }, { text: (piece) => sink.text('${tag} ' + piece) }) };`,
  );

/** A folder of plugins, by their names. */
function folderOf(plugins: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-pipeline-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, source] of Object.entries(plugins)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.js'), source);
  }
  return folder;
}

async function prepared(plugins: Readonly<Record<string, string>>) {
  const actions = JSON.stringify({ plugins: [folderOf(plugins)] });
  const environment = { ...withoutDocuments, HELPER__ACTIONS: actions, HELPER__STORAGE__TYPE: 'memory' };
  const { settings } = loadSettings({ file: shippedConfiguration, environment });
  return prepareParts(settings, recordingLogger());
}

async function said(server: ScriptedServer, message: string) {
  const chat = await openSse(`${server.url}/helper/chat`, { body: { message } });
  const end = await chat.next('end');
  return { text: chat.text(), end: end.data };
}

function sent(server: ScriptedServer, index = -1): string {
  return JSON.stringify(server.model.requests.at(index)?.body['messages']);
}

describe('configureChatClientPipeline of plugins (contract/models.md#own-layers)', () => {
  // proves service-11-20
  it('of the guide hides card numbers from the model, and from nobody else', async () => {
    const server = await scriptedServer({ scripts: [saying('Thanks.')], plugin: example('card-numbers') });
    const { text } = await said(server, 'My card is 4111 1111 1111 1111, block it');
    expect(text).toBe('Thanks.');
    expect(sent(server)).toContain('My card is [card number], block it');
  });

  // proves service-11-21
  it('of the guide words what the user sees, and the history keeps the same', async () => {
    const server = await scriptedServer({ scripts: [saying('Hello', ' there!')], plugin: example('polite') });
    const client = await RawHubClient.connect(`${server.url}/helper-hub`);
    client.call('SendMessage', '1', 'Hi');
    expect(await client.result('1')).toMatchObject({ text: 'Hello there. Anything else?' });
    client.call('SendMessage', '2', 'No');
    await client.result('2');
    expect(sent(server)).toContain('"content":"Hello there. Anything else?"');
  });

  // proves service-11-19
  it('stand around each other in plugin order, the last one outermost', async () => {
    const settings = { actions: { plugins: [folderOf({ b: tagging('second'), a: tagging('first') })] } };
    const server = await scriptedServer({ scripts: [saying('x')], settings });
    expect((await said(server, 'Hi')).text).toBe('second first x');
    expect(sent(server)).toContain('[second] [first]');
  });

  // proves service-11-18
  it('see one call with all of its retries and fallbacks', async () => {
    const counting = hook(
      'counting',
      'let calls = 0; return { ...model, async run(request, sink) { calls += 1; const reply = await model.run(request, sink); sink.text(` (${calls})`); return reply; } };',
    );
    const other = await scriptedServer({ scripts: [saying('From the fallback')], plugin: counting });
    const server = await scriptedServer({
      scripts: Array.from({ length: 3 }, (): ModelScript => failing(503)),
      plugin: counting,
      models: {
        main: {
          provider: 'openai',
          baseUrl: 'http://127.0.0.1:1/v1',
          model: 'gone',
          apiKey: 'none',
          maxRetries: 0,
          fallbacks: ['spare'],
        },
        spare: { provider: 'openai', baseUrl: other.model.url, model: 'spare', apiKey: 'none' },
      },
    });
    expect((await said(server, 'Hi')).text).toBe('From the fallback (1)');
  });

  // proves service-11-18
  it('are around the fallback that a budget has answer, too', async () => {
    const dear = await startScriptedModel({ otherwise: saying('dear') });
    const cheap = await startScriptedModel({ otherwise: saying('cheap') });
    for (const one of [dear, cheap]) onTestFinished(() => one.close());
    const usual = { provider: 'openai', apiKey: 'none', maxOutputTokens: 50 };
    const entry = (baseUrl: string, model: string) => ({ ...usual, baseUrl, model });
    const server = await scriptedServer({
      scripts: [],
      plugin: tagging('layer'),
      models: { main: { ...entry(dear.url, 'dear'), fallbacks: ['spare'] }, spare: entry(cheap.url, 'cheap') },
      settings: {
        budgets: [{ per: 'day', cost: 0.001, then: 'downgrade' }],
        modelPricing: { dear: { inputPer1M: 100, outputPer1M: 100 }, cheap: { inputPer1M: 1, outputPer1M: 1 } },
      },
    });
    expect((await said(server, 'Hi')).text).toBe('layer dear');
    expect((await said(server, 'Hi')).text).toBe('layer cheap');
    expect(JSON.stringify(cheap.requests[0]?.body)).toContain('[layer]');
  });

  // proves configuration-2-79, configuration-2-80
  it.each([
    [
      'each call that a layer makes',
      'await model.run(request, { text: () => undefined }); return model.run(request, sink);',
      2,
    ],
    ['nothing of an answer that a layer gives itself', 'return { ...own, text: "We are closed." };', 0],
  ])('leave to budgets %s', async (_what, body, calls) => {
    const own =
      "const own = { toolCalls: [], usage: { inputTokens: 0, outputTokens: 0 }, model: 'own', finish: 'stop' };";
    const server = await scriptedServer({
      scripts: [saying('One.'), saying('Two.')],
      plugin: hook('spending', `${own} return { ...model, async run(request, sink) { ${body} } };`),
      settings: { budgets: [{ per: 'day', tokens: 1_000, then: 'refuse' }] },
    });
    await said(server, 'Hi');
    const client = await RawHubClient.connect(`${server.url}/helper-hub`, { events: false });
    // A scripted reply reports 17 tokens.
    expect(await client.event('Connected')).toMatchObject({ settings: { budget: { remaining: 1_000 - 17 * calls } } });
    expect(server.model.requests).toHaveLength(calls);
  });

  // proves service-11-22
  it('make calls up that go through the door as any: what asks is asked about', async () => {
    const making = `let wasRun = false;
      export default {
        name: 'making',
        actions: [{ name: 'drop_all', description: 'Drops all.', parameters: { type: 'object', additionalProperties: true }, execute() { wasRun = true; return 'dropped'; } }],
        hooks: { configureChatClientPipeline: (model) => ({ ...model, run: async (request, sink) => {
          if (request.messages.at(-1).role === 'tool') { sink.text('ran: ' + wasRun); return { text: '', toolCalls: [], usage: { inputTokens: 0, outputTokens: 0 }, model: 'own', finish: 'stop' }; }
          return { text: '', toolCalls: [{ id: '1', name: 'drop_all', arguments: '{}' }], usage: { inputTokens: 0, outputTokens: 0 }, model: 'own', finish: 'tool-calls' };
        } }) },
      };`;
    const server = await scriptedServer({ scripts: [], plugin: making });
    const client = await RawHubClient.connect(`${server.url}/helper-hub`);
    client.call('SendMessage', '1', 'Hi');
    const { actionId } = await client.event('ConfirmationRequested');
    await fetch(`${server.url}/helper/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actionId, approved: false }),
    });
    expect(await client.result('1')).toMatchObject({ text: 'ran: false' });
  });

  // proves service-11-23
  it('that throw fail the turn as a model does, and the next message works', async () => {
    const once = hook(
      'once',
      'let calls = 0; return { ...model, run: (request, sink) => { calls += 1; if (calls === 1) throw new Error("secret"); return model.run(request, sink); } };',
    );
    const server = await scriptedServer({ scripts: [saying('Fine.')], plugin: once });
    const { end } = await said(server, 'Hi');
    expect(end).toMatchObject({ status: 'failed' });
    expect(JSON.stringify(end)).not.toContain('secret');
    expect((await said(server, 'Hi')).text).toBe('Fine.');
  });

  // proves service-11-28
  it('are not asked the small questions of the server', async () => {
    const server = await scriptedServer({
      scripts: [saying('{"safe": true}'), saying('Hello')],
      plugin: tagging('mine'),
      settings: { enableSafetyCheck: true },
    });
    expect((await said(server, 'Hi')).end).toBeDefined();
    const bodies = server.model.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies).toHaveLength(2);
    expect(bodies.filter((body) => body.includes('[mine]'))).toHaveLength(1);
  });

  // proves service-11-26
  it.each([
    ['returns no model', 'return {};', /object with a function run/],
    ['throws', "throw new Error('no licence');", /no licence/],
    ['gives a promise that fails', "return Promise.reject(new Error('no licence'));", /no licence/],
  ])('that %s keeps the server from starting, with the name of the plugin', async (_what, body, said) => {
    const starting = prepared({ odd: hook('odd', body) });
    await expect(starting).rejects.toThrow(said);
    await expect(starting).rejects.toThrow(/odd\.hooks\.configureChatClientPipeline/);
  });

  // proves service-11-26
  it('that is no function keeps the server from starting', async () => {
    const plugin = `export default { name: 'odd', hooks: { configureChatClientPipeline: 5 } };`;
    await expect(prepared({ odd: plugin })).rejects.toThrow(/configureChatClientPipeline.*must be a function/s);
  });

  it('may be async', async () => {
    const plugin = hook(
      'slow',
      'return Promise.resolve({ ...model, run: (request, sink) => model.run(request, sink) });',
    );
    const server = await scriptedServer({ scripts: [saying('Hi')], plugin });
    expect((await said(server, 'Hi')).text).toBe('Hi');
  });
});
