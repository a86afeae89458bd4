import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareParts } from '../../src/app/open-core.ts';
import { loadSettings } from '../../src/config/load-settings.ts';
import { bearer, factsOf, finding, say, textsOf } from '../support/remembering.ts';
import { recordingLogger } from '../support/quiet.ts';
import { shippedConfiguration, withoutDocuments } from '../support/process-environment.ts';
import { type ModelScript, saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/memory.md'), 'utf8');
const [, notebook = ''] = /```js file=notebook\.plugin\.js\n([\s\S]*?)```/.exec(guide) ?? [];
const token = await makeToken({ sub: 'ann' });
const other = await makeToken({ sub: 'bob' });

const withStore = (store: string, name = 'odd'): string =>
  `export default { name: '${name}', providers: { memoryStore: ${store} } };`;

const start = (plugin: string, scripts: readonly ModelScript[]): Promise<ScriptedServer> =>
  scriptedServer({ scripts, plugin, settings: { useMemoryContext: true, auth: { jwt: { secret: tokenSecret } } } });

async function prepared(plugins: Readonly<Record<string, string>>): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'helper-memory-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, source] of Object.entries(plugins)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.js'), source);
  }
  const actions = JSON.stringify({ plugins: [folder] });
  const environment = { ...withoutDocuments, HELPER__ACTIONS: actions, HELPER__STORAGE__TYPE: 'memory' };
  const { settings } = loadSettings({ file: shippedConfiguration, environment });
  return prepareParts(settings, recordingLogger());
}

describe('the memoryStore of a plugin (contract/memory.md#storage)', () => {
  // proves service-2.10-25
  it('of the guide keeps what is remembered, for each user alone', async () => {
    const dog = finding({ kind: 'fact', text: 'Has a dog.' }, { kind: 'identity', text: 'Is called Ann.' });
    const moved = JSON.stringify({ update: [{ id: '1', text: 'Has two dogs.' }], delete: ['2'] });
    const { url, model } = await start(notebook, [saying('Hi.'), saying(dog), saying('Oh.'), saying(moved)]);
    await say(url, 'I am Ann and have a dog.', token);
    await textsOf(url, token, 2);
    await say(url, 'Two dogs. And forget my name.', token);
    expect(await textsOf(url, token, 1)).toEqual(['Has two dogs.']);
    expect(JSON.stringify(model.requests[2]?.body)).toContain('Is called Ann.');
    expect(await factsOf(url, other)).toEqual([]);
    const id = (await factsOf(url, token))[0]?.id ?? '';
    const path = `${url}/helper/memory?id=${id}`;
    const body = JSON.stringify({ text: 'Has three dogs.' });
    const headers = { 'content-type': 'application/json' };
    const by = (who: string) => ({ method: 'PATCH', body, headers: { ...headers, ...bearer(who) } });
    expect([(await fetch(path, by(other))).status, (await fetch(path, by(token))).status]).toEqual([404, 204]);
    expect(await textsOf(url, token, 1)).toEqual(['Has three dogs.']);
    const erase = (who: string) => fetch(path, { method: 'DELETE', headers: bearer(who) });
    expect([(await erase(other)).status, (await erase(token)).status, (await erase(token)).status]).toEqual([
      404, 204, 404,
    ]);
    expect(await factsOf(url, token)).toEqual([]);
  });

  // proves service-2.10-26
  it('is left out where it throws, and its user is told', async () => {
    const broken = withStore(`{ list() { throw new Error('away'); }, save() {}, remove() {} }`);
    const { url } = await start(broken, [saying('Hi.')]);
    expect(await say(url, 'Hello', token)).toMatchObject({ status: 'completed' });
    expect((await fetch(`${url}/helper/memory`, { headers: bearer(token) })).status).toBe(503);
  });

  // proves service-2.10-26
  it('gives only what is a fact', async () => {
    const fact = `{ id: 'a', kind: 'fact', text: 'Good.', at: 1, turnId: 't', conversationId: 'c' }`;
    const odd = [
      `null`,
      `5`,
      `{ ...good, id: 7 }`,
      `{ ...good, kind: 'x' }`,
      `{ ...good, text: 'x'.repeat(301) }`,
      `{ ...good, at: NaN }`,
    ];
    const store = `{ list() { const good = ${fact}; return [${odd.join()}, good]; }, save() {}, remove() {} }`;
    const { url } = await start(withStore(store), []);
    expect(await factsOf(url, token)).toEqual([
      { id: 'a', kind: 'fact', text: 'Good.', at: '1970-01-01T00:00:00.001Z', conversationId: 'c' },
    ]);
  });

  // proves service-2.10-39
  it('is answered with where memoryAutoCapture is off', async () => {
    const fact = `{ id: 'a', kind: 'fact', text: 'Has a dog.', at: 1, turnId: 't', conversationId: 'c' }`;
    const plugin = withStore(`{ list: () => [${fact}], save() {}, remove() {} }`);
    const settings = { useMemoryContext: true, memoryAutoCapture: false, auth: { jwt: { secret: tokenSecret } } };
    const { url, model } = await scriptedServer({ scripts: [], plugin, settings });
    await say(url, 'I have a cat.', token);
    expect(JSON.stringify((await model.request(0)).body)).toContain('Has a dog.');
  });

  // proves service-2.10-27
  it('in two plugins keeps the server from starting', async () => {
    const store = '{ list() {}, save() {}, remove() {} }';
    await expect(prepared({ a: withStore(store, 'one'), b: withStore(store, 'two') })).rejects.toThrow(
      /memoryStore" is used twice: by plugin "one".*and by plugin "two"/s,
    );
  });

  // proves service-2.10-27
  it.each([
    ['is no object', '5', /odd\.providers\.memoryStore.*must be an object/s],
    ['lacks a function', '{ list() {}, save() {} }', /odd\.providers\.memoryStore\.remove.*is missing/s],
    ['has one that is none', '{ list() {}, save: 5, remove() {} }', /memoryStore\.save.*must be a function/s],
  ])('that %s keeps the server from starting', async (_what, store, fault) => {
    await expect(prepared({ odd: withStore(store) })).rejects.toThrow(fault);
  });
});
