import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareParts } from '../../src/app/open-core.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { recordingLogger } from '../support/quiet.ts';
import { shippedConfiguration, withoutDocuments } from '../support/process-environment.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/plugins.md'), 'utf8');
const [, shown = ''] = /```js file=first-question\.plugin\.js\n([\s\S]*?)```/.exec(guide) ?? [];

const reducer = (name: string, body: string): string =>
  `export default { name: '${name}', providers: { chatReducer(messages, { signal }) { ${body} } } };`;

/** The texts that the model got with the last of these messages. */
async function sentWith(plugin: string, texts: readonly string[]): Promise<readonly string[]> {
  const { url, model } = await scriptedServer({ scripts: [], plugin, settings: { maxSessionMessages: 4 } });
  const client = await RawHubClient.connect(`${url}/helper-hub`);
  for (const [index, text] of texts.entries()) {
    client.call('SendMessage', String(index), text);
    expect(await client.result(String(index))).toMatchObject({ status: 'completed' });
  }
  const messages = model.requests.at(-1)?.body['messages'] as readonly { role: string; content: string }[]; // the OpenAI wire
  return messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
}

/** The settings of a server with these plugins, and its parts before anything is opened. */
async function prepared(plugins: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'helper-reducer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, source] of Object.entries(plugins)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.js'), source);
  }
  const actions = { HELPER__ACTIONS: JSON.stringify({ plugins: [folder] }), HELPER__STORAGE__TYPE: 'memory' };
  const { settings } = loadSettings({
    file: shippedConfiguration,
    environment: { ...withoutDocuments, ...actions, ...environment },
  });
  return prepareParts(settings, recordingLogger());
}

describe('the chatReducer of a plugin (contract/sessions.md#a-reducer-of-your-own)', () => {
  // proves service-2.9-40
  it('of the guide keeps the first message and the last two turns', async () => {
    expect(await sentWith(shown, ['one', 'two', 'three', 'four', 'five'])).toEqual(['one', 'three', 'four', 'five']);
  });

  // proves service-2.9-41
  it('is given frozen messages and a signal', async () => {
    const plugin = reducer(
      'frozen',
      `const { role, text } = messages[0];
       const isFrozen = messages.every(Object.isFrozen) && Object.isFrozen(messages[1].toolCalls);
       return isFrozen && role === 'user' && text === 'one' && signal instanceof AbortSignal ? [] : messages;`,
    );
    expect(await sentWith(plugin, ['one', 'two'])).toEqual(['two']);
  });

  it.each([
    // proves service-2.9-43
    ['makes a message up', "return [{ role: 'user', text: 'invented' }];"],
    ['gives no list', "return 'nothing';"],
    ['throws', "throw new Error('fell');"],
  ])('that %s is not followed', async (_what, body) => {
    expect(await sentWith(reducer('odd', body), ['one', 'two', 'three', 'four'])).toEqual(['two', 'three', 'four']);
  });

  it('that is no function keeps the server from starting', async () => {
    const plugin = `export default { name: 'odd', providers: { chatReducer: 5 } };`;
    await expect(prepared({ odd: plugin })).rejects.toThrow(/odd\.providers\.chatReducer.*must be a function/s);
  });

  // proves service-2.9-45
  it('in two plugins keeps the server from starting', async () => {
    const plugins = { a: reducer('one', 'return messages;'), b: reducer('two', 'return messages;') };
    await expect(prepared(plugins)).rejects.toThrow(
      /chatReducer" is used twice: by plugin "one".*and by plugin "two"/s,
    );
  });

  // proves service-2.9-46
  it('beside maxSessionMessages is warned of', async () => {
    const plugins = { a: reducer('one', 'return messages;') };
    const beside = await prepared(plugins, { HELPER__MAXSESSIONMESSAGES: '20' });
    expect(beside.prepared.warnings().map(({ code }) => code)).toEqual(['HLP1061']);
    const alone = await prepared(plugins);
    expect(alone.prepared.warnings()).toEqual([]);
  });

  // proves service-2.9-52
  it('beside history that the provider keeps is warned of', async () => {
    const model = { provider: 'openai', model: 'gpt', apiKey: 'none', api: 'responses' };
    const beside = await prepared(
      { a: reducer('one', 'return messages;') },
      { HELPER__MODELS: JSON.stringify({ demo: model }), HELPER__USESERVICEMANAGEDHISTORY: 'true' },
    );
    expect(beside.prepared.warnings().map(({ code }) => code)).toEqual(['HLP1063']);
  });
});
