import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareParts } from '../../src/app/open-core.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { runCommand } from '../../src/cli/run-command.ts';
import { asUser, connectAs, listOf } from '../support/kept-conversations.ts';
import { recordingLogger } from '../support/quiet.ts';
import { shippedConfiguration, withoutDocuments } from '../support/process-environment.ts';
import { realServer } from '../support/real-server.ts';
import { type ModelScript, saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedConfiguration, scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/conversations.md'), 'utf8');
const [, archive = ''] = /```js file=archive\.plugin\.js\n([\s\S]*?)```/.exec(guide) ?? [];
const [ann, bob] = await Promise.all(['ann', 'bob'].map((sub) => makeToken({ sub })));

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'helper-history-plugin-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A plugin that keeps each user's conversations in a separate file. `more` replaces some of its members. */
const inFiles = (path: string, more = ''): string => `
  import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
  const file = (user) => ${JSON.stringify(path)} + '/' + encodeURIComponent(user) + '.json';
  const all = (user) => (existsSync(file(user)) ? JSON.parse(readFileSync(file(user), 'utf8')) : {});
  const keep = (user, kept) => writeFileSync(file(user), JSON.stringify(kept));
  const provider = {
    list: (user) => Object.values(all(user)),
    read: (user, id) => all(user)[id] ?? null,
    save: (user, conversation) => keep(user, { ...all(user), [conversation.id]: conversation }),
    remove(user, id) {
      const { [id]: _, ...others } = id === null ? {} : all(user);
      keep(user, others);
    },
    ${more}
  };
  export default { name: 'files', providers: { chatHistoryProvider: provider } };`;

const start = (plugin: string, scripts: readonly ModelScript[]): Promise<ScriptedServer> =>
  scriptedServer({ scripts, plugin, settings: { auth: { jwt: { secret: tokenSecret } } } });

const one = (url: string, id: string): string => `${url}/helper/conversations/${id}`;

/** What the server reports about these plugins before it opens anything. */
async function prepared(plugins: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>> = {}) {
  const path = folder();
  for (const [name, source] of Object.entries(plugins)) {
    mkdirSync(join(path, name));
    writeFileSync(join(path, name, 'index.js'), source);
  }
  const actions = JSON.stringify({ plugins: [path] });
  const all = { ...withoutDocuments, HELPER__ACTIONS: actions, HELPER__STORAGE__TYPE: 'memory', ...environment };
  return prepareParts(loadSettings({ file: shippedConfiguration, environment: all }).settings, recordingLogger());
}

describe('conversations that a plugin keeps (contract/sessions.md#conversations-in-a-store-of-your-own)', () => {
  // proves service-2.9-90
  it('as the guide shows are listed, opened, named, deleted and erased, each for its own user', async () => {
    const { url, model } = await start(
      archive,
      ['Hello Ann.', 'On its way.', 'Hello Bob.', 'Again.'].map((text) => saying(text)),
    );
    const hub = await connectAs(url, ann);
    await hub.invoke('SendMessage', 'Where is my order?');
    const [first] = await listOf(url, ann);
    expect(first).toMatchObject({ title: 'Where is my order?' });
    const id = String(first?.id);
    await hub.invoke('NewConversation');
    expect(await hub.invoke('OpenConversation', id)).toMatchObject({ conversationId: id });
    await hub.invoke('SendMessage', 'And now?');
    expect(JSON.stringify(model.requests[1]?.body)).toContain('Hello Ann.');
    expect((await asUser(one(url, id), ann)).body['messages']).toHaveLength(4);
    expect((await asUser(one(url, id), ann, { method: 'PATCH', body: { title: 'My order' } })).status).toBe(204);
    expect(await listOf(url, ann)).toMatchObject([{ id, title: 'My order' }]);
    await (await connectAs(url, bob)).invoke('SendMessage', 'I am Bob.');
    expect((await asUser(one(url, id), bob)).status).toBe(404);
    expect(await listOf(url, bob)).toMatchObject([{ title: 'I am Bob.' }]);
    expect((await asUser(one(url, id), ann, { method: 'DELETE' })).status).toBe(204);
    expect((await asUser(one(url, id), ann, { method: 'DELETE' })).status).toBe(404);
    await hub.invoke('SendMessage', 'Something else');
    const erased = await asUser(`${url}/helper/user-data`, ann, { method: 'DELETE' });
    expect(erased.body).toMatchObject({ conversations: 1 });
    expect([await listOf(url, ann), (await listOf(url, bob)).length]).toEqual([[], 1]);
  });

  // proves service-2.9-91
  it('are sealed, and one that the plugin changed cannot be opened', async () => {
    const path = folder();
    const { url } = await start(inFiles(path), [saying('Tomorrow, dear Ann.')]);
    await (await connectAs(url, ann)).invoke('SendMessage', 'Where is my order?');
    const file = join(path, `${encodeURIComponent('id:ann')}.json`);
    const written = readFileSync(file, 'utf8');
    expect(written).not.toMatch(/order|Tomorrow/);
    const id = String((await listOf(url, ann))[0]?.id);
    const changed = written.replace(
      /("text\\":\\".{30})(.)/,
      (_, before: string, letter: string) => `${before}${letter === 'A' ? 'B' : 'A'}`,
    );
    expect(changed).not.toBe(written);
    writeFileSync(file, changed);
    expect((await asUser(one(url, id), ann)).status).toBe(404);
    writeFileSync(file, written.replace(/"content":"[^]*?"(,|})/, '"content":"{}"$1'));
    expect((await asUser(one(url, id), ann)).status).toBe(503);
    writeFileSync(file, written);
    expect((await asUser(one(url, id), ann)).status).toBe(200);
  });

  // proves service-2.9-92
  it('that were deleted or erased are given to nobody, whatever the plugin still has', async () => {
    const path = folder();
    const { url } = await start(
      inFiles(path, 'remove() {},'),
      ['One.', 'Two.', 'Three.'].map((text) => saying(text)),
    );
    const hub = await connectAs(url, ann);
    await hub.invoke('SendMessage', 'first');
    const id = String((await listOf(url, ann))[0]?.id);
    expect((await asUser(one(url, id), ann, { method: 'DELETE' })).status).toBe(204);
    await hub.invoke('SendMessage', 'second');
    expect(await listOf(url, ann)).toMatchObject([{ title: 'second' }]);
    const erased = await asUser(`${url}/helper/user-data`, ann, { method: 'DELETE' });
    expect(erased).toMatchObject({ status: 200, body: { conversations: 1 } });
    expect(await listOf(url, ann)).toEqual([]);
    expect((await asUser(one(url, id), ann)).status).toBe(404);
    expect(readFileSync(join(path, `${encodeURIComponent('id:ann')}.json`), 'utf8')).toContain(id);
  });

  // proves service-2.9-93
  it('that it cannot save fail the turn, and are saved with the next one', async () => {
    const path = folder();
    const away = join(path, 'away');
    const failing = `save(user, conversation) {
      if (existsSync(${JSON.stringify(away)})) throw new Error('away');
      keep(user, { ...all(user), [conversation.id]: conversation });
    },`;
    const { url, server } = await start(
      inFiles(path, failing),
      ['One.', 'Two.'].map((text) => saying(text)),
    );
    const hub = await connectAs(url, ann);
    writeFileSync(away, '');
    expect(await hub.invoke('SendMessage', 'first')).toMatchObject({ status: 'failed', code: 'overloaded' });
    expect(await listOf(url, ann)).toEqual([]);
    rmSync(away);
    expect(existsSync(away)).toBe(false);
    expect(await hub.invoke('SendMessage', 'second')).toMatchObject({ status: 'completed' });
    const [{ id } = { id: '' }] = await listOf(url, ann);
    expect((await asUser(one(url, id), ann)).body['messages']).toHaveLength(4);
    expect(server.report.endpoints.map((endpoint) => endpoint.path)).toContain('/helper/conversations');
  });

  // proves service-2.9-95
  it('come from one provider for each user, made once by the factory', async () => {
    const path = folder();
    const made = join(path, 'made');
    const factory = inFiles(path)
      .replace('{ chatHistoryProvider: provider }', '{ chatHistoryProviderFactory: makeFor }')
      .concat(
        `function only(user, given) { if (given !== user) throw new Error('another user'); return given; }
        async function makeFor(user) {
          writeFileSync(${JSON.stringify(made)}, user + '\\n', { flag: 'a' });
          return Object.fromEntries(
            Object.entries(provider).map(([name, run]) => [name, (given, ...rest) => run(only(user, given), ...rest)]),
          );
        }`,
      );
    const { url } = await start(
      factory,
      ['One.', 'Two.', 'Three.'].map((text) => saying(text)),
    );
    for (const token of [ann, bob, ann]) await (await connectAs(url, token)).invoke('SendMessage', 'Hello');
    expect([(await listOf(url, ann)).length, (await listOf(url, bob)).length]).toEqual([2, 1]);
    expect(readFileSync(made, 'utf8')).toBe('id:ann\nid:bob\n');
  });
});

describe('a user whose conversations and facts a plugin keeps (contract/operations.md#erase)', () => {
  // proves configuration-7-41
  it('is erased by the command without a server: the plugin is started for it, and stopped', async () => {
    const path = folder();
    const more = `
      const ended = (name) => () => writeFileSync(${JSON.stringify(path)} + '/log', name + '\\n', { flag: 'a' });
      const facts = { list: () => [], save() {}, remove: ended('facts removed') };
      const parts = { chatHistoryProvider: provider, memoryStore: facts };
      export default { name: 'files', providers: parts, start: ended('started'), stop: ended('stopped') };`;
    const plugin = inFiles(path).replace(/export default[^]*$/, more);
    const { directory, configuration } = await scriptedConfiguration({ scripts: [saying('One.')], plugin });
    const config = join(directory, 'helper.yaml');
    const storage = { type: 'embedded', path: join(directory, 'data') };
    writeFileSync(config, JSON.stringify({ ...configuration, storage, auth: { jwt: { secret: tokenSecret } } }));
    const server = await realServer({}, config);
    await (await connectAs(server.url, ann)).invoke('SendMessage', 'My secret plan');
    await server.server.close();
    writeFileSync(join(path, 'log'), '');
    const output = fakeContext(directory);
    expect(await runCommand(['erase', '--user', 'id:ann', '--config', config], output)).toBe(0);
    expect(output.written()).toContain('Erased: 1 conversations');
    expect(readFileSync(join(path, 'log'), 'utf8')).toBe('started\nfacts removed\nstopped\n');
    expect(readFileSync(join(path, `${encodeURIComponent('id:ann')}.json`), 'utf8')).toBe('{}');
  });
});

const provider = '{ list() {}, read() {}, save() {}, remove() {} }';
const plugin = (name: string, providers: string): string =>
  `export default { name: '${name}', providers: { ${providers} } };`;

describe('what is wrong with a plugin that keeps conversations (contract/sessions.md#conversations-in-a-store-of-your-own)', () => {
  // proves service-2.9-96
  it.each<readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, RegExp]>([
    [
      'chatHistoryProvider is set in the configuration too',
      { a: plugin('one', `chatHistoryProvider: ${provider}`) },
      { HELPER__CHATHISTORYPROVIDER: 'storage' },
      /chatHistoryProvider.*the plugin one keeps the conversations already; take one of them/s,
    ],
    [
      'it has a provider and a factory',
      { a: plugin('one', `chatHistoryProvider: ${provider}, chatHistoryProviderFactory: () => (${provider})`) },
      {},
      /one\.providers\.chatHistoryProviderFactory.*stands beside chatHistoryProvider; take one of them/s,
    ],
    [
      'another plugin keeps them too',
      {
        a: plugin('one', `chatHistoryProvider: ${provider}`),
        b: plugin('two', `chatHistoryProviderFactory: () => (${provider})`),
      },
      {},
      /chatHistoryProvider" is used twice: by plugin "one".*and by plugin "two"/s,
    ],
    [
      'it is no object',
      { a: plugin('odd', 'chatHistoryProvider: 5') },
      {},
      /odd\.providers\.chatHistoryProvider.*must be an object/s,
    ],
    [
      'it lacks a function',
      { a: plugin('odd', 'chatHistoryProvider: { list() {}, read() {}, save() {} }') },
      {},
      /odd\.providers\.chatHistoryProvider\.remove.*is missing/s,
    ],
    [
      'its factory is no function',
      { a: plugin('odd', `chatHistoryProviderFactory: ${provider}`) },
      {},
      /chatHistoryProviderFactory.*must be a function/s,
    ],
  ])('keeps the server from starting where %s', async (_what, plugins, environment, fault) => {
    await expect(prepared(plugins, environment)).rejects.toThrow(fault);
  });

  // proves service-2.9-90
  it('is warned of where nothing is kept: nobody can sign in, or the provider of the model keeps the conversation', async () => {
    const plugins = { a: plugin('one', `chatHistoryProvider: ${provider}, chatReducer: (messages) => messages`) };
    const codes = async (environment: Readonly<Record<string, string>>): Promise<readonly string[]> =>
      (await prepared(plugins, environment)).prepared.warnings().map(({ code }) => code);
    expect(await codes({})).toEqual(['HLP1070', 'HLP1072']);
    const model = { provider: 'openai', model: 'gpt', apiKey: 'none', api: 'responses' };
    const managed = { HELPER__MODELS: JSON.stringify({ demo: model }), HELPER__USESERVICEMANAGEDHISTORY: 'true' };
    expect(await codes(managed)).toEqual(['HLP1063', 'HLP1071', 'HLP1072']);
  });
});
