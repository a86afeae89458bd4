import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { inProcessHelper } from '../support/in-process-helper.ts';
import { calling, saying, type ScriptedModel } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

/** Actions that return their arguments and the id of their user. */
const plugin = `
  const parameters = { type: 'object', properties: { order: { type: 'integer', title: 'Order' }, city: { type: 'string' } } };
  const execute = (args, { user }) => ({ args, user: user.id });
  export default {
    name: 'desk',
    actions: [
      { name: 'ship', title: 'Ship an order', description: 'Ships.', parameters, execute },
      { name: 'look', description: 'Looks.', parameters, readOnly: true, execute },
      { name: 'refund', description: 'Refunds.', parameters, requiredRoles: ['Supervisor'], execute },
    ],
  };`;

const overrides = { HELPER__AUTH__JWT__SECRET: tokenSecret };
const bearer = async (sub: string): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await makeToken({ sub })}`,
});

/** The results that the model got for its calls, in the order of the calls. */
function toldOf(model: ScriptedModel): readonly string[] {
  const messages = model.requests.at(-1)?.body['messages'] as readonly { role: string; content: string }[];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

async function answer(url: string, actionId: unknown, approved: boolean, headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  return fetch(`${url}/helper/approve`, { ...init, body: JSON.stringify({ actionId, approved }) });
}

describe('a question of a signed-in user over server-sent events (contract/confirmations.md)', () => {
  it.each([
    // proves service-5-03, wire-5-17
    ['another user', () => bearer('bob')],
    // proves service-5-03, wire-5-17
    ['somebody without a token', () => Promise.resolve({})],
  ])('may be answered by %s who holds its actionId, and its action runs as the user who asked', async (_who, token) => {
    const scripts = [calling({ name: 'ship', arguments: { order: 1002 } }), saying('Done.')];
    const { url, model } = await scriptedServer({ scripts, plugin, overrides });
    const body = { message: 'Ship it' };
    const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body, headers: await bearer('ann') });
    const { data } = await stream.next('confirmation');
    expect((await answer(url, data?.['actionId'], true, await token())).status).toBe(200);
    await stream.closed;
    expect(toldOf(model)).toEqual(['[succeeded] {"args":{"order":1002},"user":"ann"}']);
  });
});

describe('an approval (contract/confirmations.md)', () => {
  // proves wire-5-16
  it('is stored with the arguments that were shown and their hash, and these are what runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-approved-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { url, model } = await scriptedServer({
      scripts: [calling({ name: 'ship', arguments: { order: 1002, city: 'Bern' } }), saying('Done.')],
      plugin,
      overrides: { HELPER__STORAGE__TYPE: 'embedded', HELPER__STORAGE__PATH: folder },
    });
    const stream = await openSse(`${url}/helper/chat?message=ship`);
    const { data } = await stream.next('confirmation');
    const shown = data?.['arguments'] as readonly { readonly name: string; readonly value: unknown }[];
    expect(Object.fromEntries(shown.map(({ name, value }) => [name, value]))).toEqual({ city: 'Bern', order: 1002 });
    expect((await answer(url, data?.['actionId'], true)).status).toBe(200);
    await stream.closed;

    const canonical = '{"city":"Bern","order":1002}';
    const database = new DatabaseSync(join(folder, 'helper.db'), { readOnly: true });
    const row = database.prepare('select arguments, arguments_hash as hash, answer from confirmation').get();
    database.close();
    const hash = createHash('sha256').update(canonical).digest('hex');
    expect(row).toEqual({ arguments: canonical, hash, answer: 'approved' });
    expect(toldOf(model)).toEqual(['[succeeded] {"args":{"order":1002,"city":"Bern"},"user":""}']);
  });
});

/** Three calls at once: one that reads, one that asks, one that needs a role. */
const three = (): readonly ReturnType<typeof calling>[] => [
  calling(...['look', 'ship', 'refund'].map((name) => ({ id: `call_${name}`, name, arguments: { order: 1002 } }))),
  saying('Done.'),
];

/** Plays a turn of an anonymous user who declines every question. */
const channels = {
  hub: async () => {
    const { url, model } = await scriptedServer({ scripts: three(), plugin });
    const client = await RawHubClient.connect(`${url}/helper-hub`);
    client.call('SendMessage', '1', 'Do it');
    const asked = await client.event('ConfirmationRequested');
    await answer(url, asked['actionId'], false);
    await client.result('1');
    const events = client.records.filter(({ target }) => target === 'ConfirmationRequested');
    client.socket.close();
    return { asked: [asked['action']], questions: events.length, told: toldOf(model) };
  },
  sse: async () => {
    const { url, model } = await scriptedServer({ scripts: three(), plugin });
    const stream = await openSse(`${url}/helper/chat?message=do`);
    const { data } = await stream.next('confirmation');
    await answer(url, data?.['actionId'], false);
    await stream.closed;
    const questions = stream.frames.filter(({ event }) => event === 'confirmation').length;
    return { asked: [data?.['action']], questions, told: toldOf(model) };
  },
  inProcess: async () => {
    const { helper, model } = await inProcessHelper({ scripts: three(), plugin });
    const session = await helper.session();
    const asked: string[] = [];
    for await (const event of session.send('Do it')) {
      if (event.event !== 'ConfirmationRequested') continue;
      asked.push(event.action);
      await session.approve(event.actionId, false);
    }
    return { asked, questions: asked.length, told: toldOf(model) };
  },
} as const;

describe('the checks of an action (contract/confirmations.md#which-actions-ask)', () => {
  it.each([
    // proves service-1-01
    'hub',
    // proves service-1-01
    'sse',
    // proves service-1-01
    'inProcess',
  ] as const)('are the same on the channel %s: a read runs, a write asks, a role is missed', async (channel) => {
    const { asked, questions, told } = await channels[channel]();
    expect({ asked, questions }).toEqual({ asked: ['ship'], questions: 1 });
    expect(told).toEqual([
      '[succeeded] {"args":{"order":1002},"user":""}',
      expect.stringContaining('The user declined this action. Nothing was changed.'),
      expect.stringContaining('Supervisor'),
    ]);
  });
});
