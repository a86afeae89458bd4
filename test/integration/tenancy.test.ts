import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../src/cli/run-command.ts';
import { createHelper } from '../../src/index.ts';
import { callbackSecret, json, startCallback } from '../support/callback-receiver.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { scriptedConfiguration, type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';
import { fakeContext } from '../unit/cli/fake-context.ts';

/** Users of the same id, of two tenants. */
const [ann, annElsewhere] = await Promise.all(
  ['north', 'south'].map((org) => makeToken({ sub: 'ann', organisation: { id: org } })),
);
const nowhere = await makeToken({ sub: 'ann' });
const bearer = (token: string | undefined) => ({ authorization: `Bearer ${String(token)}` });
const tenancy = { tenancy: { claim: 'organisation.id' }, auth: { jwt: { secret: tokenSecret } } };
const cancel = calling({ name: 'cancel_order', arguments: { orderNumber: 1001 } });

const plugin = `
import { definePlugin } from 'helper';
const shelf = [
  { content: 'Northern prices.', title: 'North', score: 9, tenants: ['north*'] },
  { content: 'Prices of all.', title: 'All', score: 8 },
];
export default definePlugin({
  name: 'shelf',
  actions: [
    { name: 'who_am_i', description: 'Tells who asks.', readOnly: true, parameters: { type: 'object', additionalProperties: true },
      execute: (_, { user }) => ({ id: user.id, tenant: user.tenant ?? 'none' }) },
    { name: 'northern_stock', title: 'Northern stock', description: 'Tells the stock.', readOnly: true, tenants: ['nor*'],
      parameters: { type: 'object', additionalProperties: true }, execute: () => 'Northern stock: 7' },
    { name: 'cancel_order', description: 'Cancels an order.', parameters: { type: 'object', additionalProperties: true }, execute: () => 'done' },
  ],
  providers: { ragSources: [
    { name: 'shelf', search: () => shelf },
    { name: 'cellar', tenants: ['south'], search: () => [{ content: 'Southern cellar.', score: 9 }] },
  ] },
});
`;

const start = (scripts: readonly ModelScript[], settings: object = {}): Promise<ScriptedServer> =>
  scriptedServer({ scripts, plugin, settings: { ...tenancy, ...settings } });

async function connect(url: string, token: string | undefined): Promise<HubConnection> {
  const hub = new HubConnectionBuilder()
    .withUrl(`${url}/helper-hub`, { accessTokenFactory: () => String(token) })
    .configureLogging(LogLevel.None)
    .build();
  await hub.start();
  onTestFinished(() => hub.stop());
  return hub;
}

const post = (url: string, body: object, token: string | undefined): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(token) },
    body: JSON.stringify(body),
  });

describe('a user of the same id in another tenant (contract/identity.md#tenants)', () => {
  // proves configuration-7-30
  it('answers no confirmation and stops no turn of the hub', async () => {
    const { url } = await start([cancel, saying('Done.')]);
    const hub = await connect(url, ann);
    const asked = new Promise<{ readonly actionId: string; readonly turnId: string }>((resolve) => {
      hub.on('ConfirmationRequested', resolve);
    });
    const sent = hub.invoke('SendMessage', 'Cancel it.');
    const { actionId, turnId } = await asked;
    const answer = { actionId, approved: true };
    expect((await post(`${url}/helper/approve`, answer, annElsewhere)).status).toBe(403);
    expect((await post(`${url}/helper/cancel`, { turnId }, annElsewhere)).status).toBe(403);
    expect((await fetch(`${url}/helper/approve?actionId=${actionId}`, { headers: bearer(annElsewhere) })).status).toBe(
      403,
    );
    expect((await post(`${url}/helper/approve`, answer, ann)).status).toBe(200);
    await sent;
  });

  // proves configuration-7-30
  it('neither saves nor puts back a conversation', async () => {
    const { url } = await start([saying('Hello.')]);
    const [hub, other] = [await connect(url, ann), await connect(url, annElsewhere)];
    await hub.invoke('SendMessage', 'Hello');
    const place = `${url}/helper/session?connectionId=`;
    const stolen = await fetch(`${place}${String(hub.connectionId)}`, { headers: bearer(annElsewhere) });
    expect(stolen.status).toBe(403);
    const saved = (await (
      await fetch(`${place}${String(hub.connectionId)}`, { headers: bearer(ann) })
    ).json()) as object;
    expect((await post(`${place}${String(other.connectionId)}`, saved, annElsewhere)).status).toBe(400);
  });

  // proves configuration-7-30
  it('takes over no turn of the hub', async () => {
    const { url } = await start([cancel, saying('Done.')]);
    const hub = await connect(url, ann);
    const asked = new Promise<{ readonly turnId: string }>((resolve) => {
      hub.on('ConfirmationRequested', resolve);
    });
    hub.invoke('SendMessage', 'Cancel it.').catch(() => undefined);
    const { turnId } = await asked;
    const other = await connect(url, annElsewhere);
    await expect(other.invoke('Resume', turnId, 0)).rejects.toThrow();
  });

  // proves configuration-7-30
  it('goes on with no stream of server-sent events', async () => {
    const { url } = await start([saying('Hello.')]);
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Hello' }, headers: bearer(ann) });
    const { id } = await chat.next('end');
    const headers = { ...bearer(annElsewhere), 'last-event-id': String(id).replace(/\d+$/, '0') };
    expect((await fetch(`${url}/helper/chat`, { headers })).status).toBe(204);
  });

  // proves configuration-7-30
  it('has messages, turns and connections of its own to use up', async () => {
    const { url } = await start([saying('Hello.')], { rateLimitPerUser: 1, server: { maxConnectionsPerUser: 1 } });
    const codes: unknown[] = [];
    for (const token of [ann, ann, annElsewhere]) {
      const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Hello' }, headers: bearer(token) });
      codes.push((await chat.next('end')).data?.['code']);
    }
    expect(codes).toEqual([undefined, 'rate_limited', undefined]);
    await connect(url, ann);
    await connect(url, annElsewhere);
    await expect(connect(url, ann)).rejects.toThrow();
  });

  // proves configuration-7-32
  it('is told apart by actions', async () => {
    const { url, model } = await start([calling({ name: 'who_am_i', arguments: {} }), saying('You are Ann.')]);
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Who am I?' }, headers: bearer(annElsewhere) });
    await chat.next('end');
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain(
      String.raw`\"id\":\"ann\",\"tenant\":\"south\"`,
    );
  });

  // proves configuration-7-32
  it('is told apart by callbacks', async () => {
    const receiver = await startCallback({ version: 1, hooks: ['search'] });
    receiver.answer = json({ documents: [] });
    const { url } = await scriptedServer({
      scripts: [saying('Hello.')],
      callbacks: [{ name: 'erp', url: receiver.url, secret: callbackSecret }],
      settings: { ...tenancy, useRag: true },
    });
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Hello' }, headers: bearer(ann) });
    await chat.next('end');
    expect(receiver.posts()[0]?.body['user']).toMatchObject({ id: 'ann', tenant: 'north' });
  });
});

describe('an action of a tenant (contract/identity.md#tenants)', () => {
  const stock = calling({ name: 'northern_stock', arguments: {} });

  // proves configuration-7-60
  it.each<[string, string | undefined, boolean]>([
    ['one of its users', ann, true],
    ['a user of another tenant', annElsewhere, false],
    ['somebody anonymous', undefined, false],
  ])('is offered to %s, and called by them, as it should be', async (_, token, may) => {
    const { url, model } = await start([stock, saying('Well.')]);
    const headers = token === undefined ? {} : bearer(token);
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'How much is there?' }, headers });
    await chat.next('end');
    const [first, second] = model.requests.map(({ body }) => JSON.stringify(body));
    expect(first?.includes('northern_stock')).toBe(may);
    expect(second?.includes('Northern stock: 7')).toBe(may);
    if (!may) expect(second).toContain('There is no tool with this name. The tools are: who_am_i, cancel_order.');
  });

  // proves configuration-7-60
  it('is in neither the tour, nor the suggestions, nor on the demo page', async () => {
    const { url } = await start([], { client: { enableSuggestions: true }, demoPage: true });
    const pages = await Promise.all(
      ['/helper/tour', '/helper/widget.js', '/helper/demo', '/helper/openapi.json', '/readyz'].map(async (path) =>
        (await fetch(url + path)).text(),
      ),
    );
    expect(pages.join('')).not.toMatch(/northern/i);
  });

  // proves configuration-7-60
  it('of a callback is offered to its users alone', async () => {
    const action = {
      name: 'northern_stock',
      description: 'Tells.',
      parameters: { type: 'object', additionalProperties: true },
      tenants: ['north'],
    };
    const receiver = await startCallback({ version: 1, actions: [action] });
    const { url, model } = await scriptedServer({
      scripts: [],
      callbacks: [{ name: 'erp', url: receiver.url, secret: callbackSecret }],
      settings: tenancy,
    });
    for (const token of [ann, annElsewhere]) {
      const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Hello' }, headers: bearer(token) });
      await chat.next('end');
    }
    expect(model.requests.map(({ body }) => JSON.stringify(body).includes('northern_stock'))).toEqual([true, false]);
  });
});

describe('what is for nobody (contract/identity.md#tenants)', () => {
  const plugin = `export default { name: 'test', actions: ['a', 'b'].map((name) => (
    { name, description: 'd', parameters: { type: 'object', additionalProperties: true }, requiredRoles: ['HR'], tenants: ['north'], execute() {} })) };`;

  // proves configuration-7-61
  it.each<[string, object, readonly string[], string?]>([
    ['a server that knows neither tenants nor users', {}, ['HLP1034', 'HLP1032']],
    ['a server that knows tenants but no users', { tenancy: { claim: 'org' } }, ['HLP1033', 'HLP1034']],
    ['a server that knows users but no tenants', { auth: tenancy.auth }, ['HLP1032']],
    ['a server that knows both', tenancy, []],
    ['a server whose plugin knows programs', { mcpServerEnabled: true }, ['HLP1032'], `mcpCallerPrincipal() {}`],
  ])('is named in the warnings of %s', async (_, settings, wanted, hook = '') => {
    const hooked = plugin.replace('actions:', `hooks: { ${hook} }, actions:`);
    const { directory, configuration } = await scriptedConfiguration({ scripts: [], plugin: hooked, settings });
    const file = join(directory, 'helper.yaml');
    writeFileSync(file, JSON.stringify(configuration));
    const context = fakeContext(directory);
    expect(await runCommand(['check', '--json', '--config', file], context)).toBe(0);
    const { warnings } = JSON.parse(context.written()) as {
      readonly warnings: readonly { readonly code: string; readonly message: string }[];
    }; // as the command writes it
    const own = warnings.filter(({ code }) => /^HLP103[2-4]$/.test(code));
    expect(own.map(({ code }) => code)).toEqual(wanted);
    for (const { code, message } of own)
      if (code !== 'HLP1033') expect(message).toContain('for nobody: action a, action b.');
  });
});

describe('documents of a tenant (contract/knowledge.md#access)', () => {
  // proves configuration-7-34, configuration-7-35
  it.each([
    ['north', ann, ['Northern prices.', 'Prices of all.']],
    ['south', annElsewhere, ['Southern cellar.', 'Prices of all.']],
    ['nobody', undefined, ['Prices of all.']],
  ])('are read by %s alone', async (_, token, wanted) => {
    const { url, model } = await start([saying('Well.')], { useRag: true, showRagSources: true });
    const headers = token === undefined ? {} : bearer(token);
    const chat = await openSse(`${url}/helper/chat`, { body: { message: 'Prices?' }, headers });
    await chat.next('end');
    const sent = JSON.stringify(model.requests[0]?.body['messages']);
    const all = ['Northern prices.', 'Southern cellar.', 'Prices of all.'];
    expect(all.filter((text) => sent.includes(text)).toSorted()).toEqual([...wanted].toSorted());
  });
});

describe('a token without a tenant (contract/identity.md#tenants)', () => {
  // proves configuration-7-31
  it.each([
    '/helper/chat?message=hi',
    '/helper/session?connectionId=x',
    '/helper-hub/negotiate',
    '/helper/admin/metrics',
  ])('is refused at %s', async (path) => {
    const { url, model } = await start([]);
    const method = path.endsWith('negotiate') ? 'POST' : 'GET';
    const { status } = await fetch(url + path, { method, headers: bearer(nowhere) });
    expect([status, model.requests.length]).toEqual([403, 0]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('helperagent_security_events_total{what="entry_refused",reason="tenant"} 1');
  });

  // proves configuration-7-31
  it.each([
    ['a list', ['north', 'south']],
    ['an object', { id: 'north' }],
    ['no text', ''],
    ['too long a name', 'n'.repeat(201)],
    ['a number that is read as its neighbour', 2 ** 53],
    ['a truth', true],
  ])('is one whose claim holds %s', async (_, id) => {
    const { url } = await start([]);
    const token = await makeToken({ sub: 'ann', organisation: { id } });
    const { status } = await fetch(`${url}/helper/chat?message=hi`, { headers: bearer(token) });
    expect(status).toBe(403);
  });
});

describe('tenants inside another program (contract/identity.md#tenants)', () => {
  // proves configuration-7-33
  it('come from the claims of the user that the program vouches for', async () => {
    const { configuration } = await scriptedConfiguration({
      scripts: [calling({ name: 'cancel_order', arguments: {} })],
      plugin,
      settings: { ...tenancy, storage: { type: 'memory' } },
    });
    const helper = await createHelper(configuration);
    onTestFinished(() => helper.close());
    const of = (id: string) => helper.session({ user: { id: 'ann', claims: { organisation: { id } } } });
    await expect(helper.session({ user: { id: 'ann' } })).rejects.toThrow('names no tenant');
    const [north, south] = [await of('north'), await of('south')];
    for await (const event of north.send('Cancel it.')) {
      if (event.event !== 'ConfirmationRequested') continue;
      await expect(south.approve(event.actionId, true)).rejects.toMatchObject({ code: 'not_owner' });
      await north.stop();
    }
  });
});
