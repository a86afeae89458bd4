import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { asUser, connectAs, listOf } from '../support/kept-conversations.ts';
import { finding, textsOf } from '../support/remembering.ts';
import {
  calling,
  type ModelScript,
  saying,
  type ScriptedModel,
  startScriptedModel,
} from '../support/scripted-model.ts';
import { scriptedConfiguration } from '../support/scripted-server.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

/** Users of the same id, of two tenants. */
const [ann, annElsewhere] = await Promise.all(['north', 'south'].map((org) => makeToken({ sub: 'ann', org })));

const plugin = `
import { definePlugin } from 'helper';
export default definePlugin({
  name: 'shop',
  actions: [{ name: 'cancel_order', description: 'Cancels an order.', parameters: { type: 'object', additionalProperties: true }, execute: () => 'done' }],
});
`;

interface Place {
  readonly folder: string;
  readonly model: ScriptedModel;
  readonly start: () => ServerProcess;
  readonly run: (...words: string[]) => Promise<{ readonly code: number; readonly text: string }>;
}

/** `small` is the address of the server's small model, if it has one. */
async function place(scripts: readonly ModelScript[], more: object = {}, small?: string): Promise<Place> {
  const settings = {
    ...more,
    auth: { jwt: { secret: tokenSecret } },
    tenancy: { claim: 'org' },
    chatHistoryProvider: 'storage',
    hitlMode: 'Native',
  };
  const { directory, configuration, model } = await scriptedConfiguration({ scripts, plugin, settings });
  if (small !== undefined) {
    const models = configuration['models'] as Record<string, object>; // made by `scriptedConfiguration`
    models['small'] = { ...models['main'], baseUrl: small };
  }
  const config = join(directory, 'helper.yaml');
  writeFileSync(config, JSON.stringify(configuration));
  const folder = mkdtempSync(join(tmpdir(), 'helper-erasure-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    model,
    start: () => startServerProcess({ folder, config }),
    run: async (...words) => {
      const context = fakeContext(directory, { HELPER__STORAGE__PATH: folder });
      const code = await runCommand([...words, '--config', config], context);
      return { code, text: context.written() + context.complained() };
    },
  };
}

/** Everything that the files of the storage hold, as text. */
function storedText(folder: string): string {
  const database = new SqliteDatabase(join(folder, 'helper.db'), { readonly: true });
  const tables = ['confirmation', 'conversation', 'conversation_turn', 'turn', 'turn_line', 'erasure'];
  const rows = tables.map((table) => database.prepare(`select * from ${table}`).all());
  database.close();
  return JSON.stringify(rows);
}

/** All rows of a table of the storage. */
function rowsOf(folder: string, table: string): readonly unknown[] {
  const database = new SqliteDatabase(join(folder, 'helper.db'), { readonly: true });
  const rows = database.prepare(`select * from ${table}`).all();
  database.close();
  return rows;
}

const approve = (url: string, actionId: string, token: string | undefined) =>
  asUser(`${url}/helper/approve`, token, { method: 'POST', body: { actionId, approved: true } });

describe('a kept conversation and a server that is killed (contract/sessions.md#kept-conversations)', () => {
  // proves service-2.9-76
  it('has every turn that was told to be over', async () => {
    const { start } = await place([saying('One.'), saying('Two.')]);
    const first = start();
    const hub = await connectAs(await first.url, ann);
    await hub.invoke('SendMessage', 'first');
    expect(await hub.invoke('SendMessage', 'second')).toMatchObject({ status: 'completed' });
    await first.kill('SIGKILL');
    const url = await start().url;
    const [{ id } = { id: '' }, ...others] = await listOf(url, ann);
    expect(others).toEqual([]);
    const { body } = await asUser(`${url}/helper/conversations/${id}`, ann);
    expect(body).toMatchObject({
      title: 'first',
      messages: [{ text: 'first' }, { text: 'One.' }, { text: 'second' }, { text: 'Two.' }],
    });
  });

  // proves service-2.9-76
  it('has the turn that waited for its user over the restart, once', async () => {
    const { start } = await place([
      saying('Hello.'),
      calling({ name: 'cancel_order', arguments: {} }),
      saying('It is cancelled.'),
    ]);
    const first = start();
    const hub = await connectAs(await first.url, ann);
    await hub.invoke('SendMessage', 'Hi');
    const asked = new Promise<{ readonly actionId: string }>((resolve) => {
      hub.on('ConfirmationRequested', resolve);
    });
    hub.invoke('SendMessage', 'Cancel it').catch(() => undefined);
    const { actionId } = await asked;
    await first.kill('SIGKILL');
    const url = await start().url;
    expect((await approve(url, actionId, ann)).status).toBe(200);
    const [{ id } = { id: '' }] = await listOf(url, ann);
    await expect
      .poll(async () => {
        const { body } = await asUser(`${url}/helper/conversations/${id}`, ann);
        return (body['messages'] as readonly { readonly text: string }[]).map(({ text }) => text);
      })
      .toEqual(['Hi', 'Hello.', 'Cancel it', 'It is cancelled.']);
  });
});

describe('the data of a user (contract/sessions.md#erasing)', () => {
  // proves service-2.9-85, service-2.9-86, service-2.9-87
  it('is erased for one tenant alone: conversations, snapshots, and the name in the journal; what was approved stays', async () => {
    const cancel = calling({ name: 'cancel_order', arguments: {} });
    const { folder, start } = await place([cancel, saying('Done.'), saying('Hello.')]);
    const first = start();
    const url = await first.url;
    const hub = await connectAs(url, ann);
    hub.on('ConfirmationRequested', ({ actionId }: { readonly actionId: string }) => void approve(url, actionId, ann));
    await hub.invoke('SendMessage', 'Cancel it');
    const other = await connectAs(url, annElsewhere);
    await other.invoke('SendMessage', 'Hi from the south');
    const session = `${url}/helper/session?connectionId=`;
    const saved = await asUser(`${session}${String(hub.connectionId)}`, ann);
    expect(saved.status).toBe(200);

    expect(await asUser(`${url}/helper/user-data`, undefined, { method: 'DELETE' })).toMatchObject({ status: 401 });
    const erased = await asUser(`${url}/helper/user-data`, ann, { method: 'DELETE' });
    expect(erased).toEqual({ status: 200, body: { conversations: 1, facts: 0, journal: 1, tasks: 0 } });
    expect(await listOf(url, ann)).toEqual([]);
    expect(await listOf(url, annElsewhere)).toMatchObject([{ title: 'Hi from the south' }]);
    const again = await connectAs(url, ann);
    const restore = () => asUser(`${session}${String(again.connectionId)}`, ann, { method: 'POST', body: saved.body });
    expect(await restore()).toMatchObject({ status: 400, body: { code: 'snapshot_refused' } });

    await first.kill('SIGKILL');
    const second = start();
    const restarted = await second.url;
    expect(await listOf(restarted, ann)).toEqual([]);
    expect(await listOf(restarted, annElsewhere)).toHaveLength(1);
    const late = await connectAs(restarted, ann);
    const there = `${restarted}/helper/session?connectionId=${String(late.connectionId)}`;
    expect((await asUser(there, ann, { method: 'POST', body: saved.body })).status).toBe(400);
    await second.kill('SIGTERM');
    const stored = storedText(folder);
    expect(stored).not.toContain('tenant:north/id:ann');
    expect(stored).toContain('tenant:south/id:ann');
    expect(stored).toMatch(/"action":"cancel_order".*"owner":"erased:[A-Za-z0-9_-]+".*"answer":"approved"/);
  });

  // proves service-2.9-88
  it('is erased while a turn of the user runs: the turn is stopped, and nothing of it comes back after a crash', async () => {
    const { start, model, folder } = await place([
      calling({ name: 'cancel_order', arguments: {} }),
      saying('Hello again.'),
    ]);
    const first = start();
    const url = await first.url;
    const hub = await connectAs(url, ann);
    const asked = new Promise<{ readonly actionId: string }>((resolve) => {
      hub.on('ConfirmationRequested', resolve);
    });
    const running = hub.invoke('SendMessage', 'Cancel it');
    const { actionId } = await asked;
    const erased = await asUser(`${url}/helper/user-data`, ann, { method: 'DELETE' });
    expect(erased).toMatchObject({ status: 200, body: { conversations: 0, journal: 1 } });
    expect(await running).toMatchObject({ status: 'stopped' });
    await first.kill('SIGKILL');
    const second = start();
    const restarted = await second.url;
    expect((await approve(restarted, actionId, ann)).status).toBe(404);
    expect(await listOf(restarted, ann)).toEqual([]);
    // The user may come back and then begins without any kept data.
    await (await connectAs(restarted, ann)).invoke('SendMessage', 'Hi');
    expect(await listOf(restarted, ann)).toMatchObject([{ title: 'Hi' }]);
    expect(model.requests).toHaveLength(2);
    expect(readFileSync(join(folder, 'keys.json'), 'utf8')).toContain('keys');
  });

  // proves service-2.9-89
  it('has no facts any more, for one tenant alone, also after a crash and without a server', async () => {
    const dog = { kind: 'fact', text: 'Has a dog.' };
    const small = await startScriptedModel({ otherwise: saying(finding(dog)) });
    onTestFinished(() => small.close());
    const { start, run, folder } = await place(
      [],
      { useMemoryContext: true, classifierChatClient: 'small' },
      small.url,
    );
    const first = start();
    const url = await first.url;
    for (const token of [String(ann), String(annElsewhere)]) {
      await (await connectAs(url, token)).invoke('SendMessage', 'I have a dog.');
      await textsOf(url, token, 1);
    }
    const erased = await asUser(`${url}/helper/user-data`, ann, { method: 'DELETE' });
    expect(erased).toEqual({ status: 200, body: { conversations: 1, facts: 1, journal: 0, tasks: 0 } });
    await first.kill('SIGKILL');
    const second = start();
    expect(await textsOf(await second.url, String(ann), 0)).toEqual([]);
    expect(await textsOf(await second.url, String(annElsewhere), 1)).toEqual(['Has a dog.']);
    await second.kill('SIGTERM');
    expect((await run('erase', '--user', 'tenant:south/id:ann')).text).toContain('Erased: 1 conversations, 1 facts,');
    for (const table of ['memory_fact', 'memory_capture', 'memory_erasure']) expect(rowsOf(folder, table)).toEqual([]);
  });

  // proves configuration-7-41
  it('is erased by the command, of a server that runs and of one that does not (contract/operations.md#erase)', async () => {
    const { start, run } = await place([saying('One.'), saying('Two.')]);
    const first = start();
    const hub = await connectAs(await first.url, ann);
    await hub.invoke('SendMessage', 'Hi');
    expect(await run('erase', '--user', 'tenant:north/id:ann')).toEqual({
      code: 0,
      text: 'Erased: 1 conversations, 0 facts, 0 tasks of other agents. Under a pseudonym: 0 rows of the journal.\n',
    });
    expect(await listOf(await first.url, ann)).toEqual([]);
    await hub.invoke('SendMessage', 'Hi again');
    expect(await run('erase', '--user', 'id:ann')).toMatchObject({
      code: 0,
      text: expect.stringContaining('their keys look like tenant:acme/id:ann.') as string,
    });
    expect(await run('erase', '--user', 'ann')).toMatchObject({
      code: 1,
      text: expect.stringContaining('no such user key') as string,
    });
    await first.kill('SIGKILL');
    expect(await run('erase', '--user', 'tenant:south/id:ann')).toMatchObject({
      text: expect.stringContaining('Erased: 0 conv') as string,
    });
    expect(await run('erase', '--user', 'tenant:north/id:ann')).toMatchObject({
      code: 0,
      text: expect.stringContaining('Erased: 1 conversations') as string,
    });
    expect((await run('erase')).code).toBe(64);
    expect(await listOf(await start().url, ann)).toEqual([]);
  });
});
