import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allOf, inProcessHelper } from '../support/in-process-helper.ts';
import { answering, offeredIn, reasonsIn, statusesIn, toldTo } from '../support/mcp/mcp-helper.ts';
import { type ApiServer, json, startApi } from '../support/openapi/api-server.ts';
import { documentOf, fileOf, filesOf, operation, shopDocument } from '../support/openapi/shop-document.ts';
import { calling, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { scriptedConfiguration, scriptedServer } from '../support/scripted-server.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const lookUp = calling({ name: 'get_order', arguments: { orderId: 7 } });
const cancel = calling({ name: 'cancel_order', arguments: { orderId: 7, reason: 'late' } });

/** The assistant with an API, and a conversation with it. */
async function withApi(
  scripts: readonly ModelScript[],
  { document = shopDocument, entry = {}, settings = {} }: { document?: object; entry?: object; settings?: object } = {},
) {
  const api = await startApi();
  const shop = { name: 'shop', document: fileOf(document), baseUrl: `${api.url}/v1`, operations: ['*'], ...entry };
  const opened = await inProcessHelper({ scripts, settings: { actions: { openapi: [shop] }, ...settings } });
  return { ...opened, api, session: await opened.helper.session() };
}

/** Runs a turn and approves whatever is asked. */
async function approved({ session }: Awaited<ReturnType<typeof withApi>>) {
  return answering(session.send('go'), (actionId) => session.approve(actionId, true));
}

describe('an imported operation (contract/openapi.md#operations)', () => {
  // proves extending-3-21
  it('that reads runs without a question, and the model reads the answer as data', async () => {
    const opened = await withApi([lookUp, saying('Open.')]);
    opened.api.answer = json({ id: 7, status: 'open' });
    const events = await allOf(opened.session.send('order 7?'));
    expect(reasonsIn(events)).toEqual([]);
    expect(statusesIn(events)).toEqual(['get_order succeeded']);
    expect(toldTo(opened.model)).toEqual(['[succeeded] {"id":7,"status":"open"}']);
    expect(opened.api.requests).toMatchObject([{ method: 'GET', target: '/v1/orders/7', body: '' }]);
  });

  // proves extending-3-21
  it('that writes asks first, and is one request with a JSON body', async () => {
    const opened = await withApi([cancel, saying('Done.')]);
    const events = await answering(opened.session.send('cancel 7'), (actionId) => {
      expect(opened.api.requests).toEqual([]);
      return opened.session.approve(actionId, true);
    });
    expect(reasonsIn(events)).toEqual(['write']);
    expect(statusesIn(events)).toEqual(['cancel_order succeeded']);
    expect(opened.api.requests).toMatchObject([
      {
        method: 'POST',
        target: '/v1/orders/7/cancel',
        headers: { 'content-type': 'application/json' },
        body: '{"reason":"late"}',
      },
    ]);
  });

  it('that was declined is never called', async () => {
    const { session, api } = await withApi([cancel, saying('All right.')]);
    await answering(session.send('cancel 7'), (actionId) => session.approve(actionId, false));
    expect(api.requests).toEqual([]);
  });

  // proves extending-3-22
  it('is what the entry says of it: reads that ask, writes that do not, other words', async () => {
    const opened = await withApi([lookUp, saying('Seen.'), cancel, saying('Done.')], {
      entry: {
        actions: {
          getOrder: { readOnly: false, title: 'Secret look' },
          cancelOrder: { requiresConfirmation: false, description: 'Ends it.' },
        },
      },
    });
    const looked = await approved(opened);
    expect(reasonsIn(looked)).toEqual(['write']);
    expect(looked.find(({ event }) => event === 'ConfirmationRequested')).toMatchObject({ title: 'Secret look' });
    expect(reasonsIn(await approved(opened))).toEqual([]);
    expect(JSON.stringify(opened.model.requests.at(-1)?.body['tools'])).toContain('Ends it.');
  });

  // proves extending-3-22
  it('needs one of its roles, and the API is not called without it', async () => {
    const { session, api, model } = await withApi([lookUp, saying('No.')], {
      entry: { actions: { getOrder: { requiredRoles: ['Sales'] } } },
    });
    expect(statusesIn(await allOf(session.send('order 7?')))).toEqual(['get_order refused']);
    expect(api.requests).toEqual([]);
    expect(toldTo(model).at(-1)).toContain('needs the role Sales');
  });

  // proves extending-3-26
  it('answers text from outside, unless the entry vouches for it (contract/provenance.md#origins)', async () => {
    const influencesOf = async (actions: object): Promise<unknown> => {
      const opened = await withApi([lookUp, cancel, saying('Done.')], { entry: { actions } });
      const events = await approved(opened);
      const asked = events.find((event) => event.event === 'ConfirmationRequested');
      return asked?.influencedBy;
    };
    expect(await influencesOf({})).toEqual([{ origin: 'action', title: 'Runs getOrder.' }]);
    expect((await influencesOf({ getOrder: { trusted: true } })) ?? []).toEqual([]);
  });

  // proves extending-3-03
  it('whose name is reserved has another', async () => {
    const document = documentOf({
      '/a': { get: operation('goodOne') },
      '/b': { get: operation('loadSkill') },
    });
    const { session, model } = await withApi([saying('Hi.')], { document });
    await allOf(session.send('hi'));
    expect(offeredIn(model, 0)).toEqual(['good_one', 'op_load_skill']);
  });

  // proves extending-3-28
  it('is a tool of a specialist that names it with `kind: function` (contract/agents.md#definitions)', async () => {
    const clerk = [
      'kind: Prompt',
      'name: Clerk',
      'description: Knows orders.',
      'instructions: Look it up.',
      'tools: [{ kind: function, name: getOrder }]',
    ];
    const handOver = calling({ name: 'route_to_specialist', arguments: { name: 'Clerk', request: 'order 7' } });
    const opened = await withApi([handOver, lookUp, saying('Open.'), saying('It is open.')], {
      settings: { declarative: { definitions: [clerk.join('\n')] } },
    });
    expect(statusesIn(await allOf(opened.session.send('order 7?')))).toContain('get_order succeeded');
    expect(offeredIn(opened.model, 1)).toEqual(['get_order']);
    expect(opened.api.requests).toHaveLength(1);
  });

  // proves extending-3-28
  it('is called by the models of other programs where it asks nobody (contract/mcp-server.md#calls)', async () => {
    const api = await startApi(json({ id: 7 }));
    const shop = { name: 'shop', document: fileOf(shopDocument), baseUrl: api.url, operations: ['*'] };
    const settings = { mcpServerEnabled: true, actions: { openapi: [shop] } };
    const { url } = await scriptedServer({ scripts: [], settings });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['get_order']);
    const { structuredContent } = await client.callTool({ name: 'get_order', arguments: { orderId: 7 } });
    expect(structuredContent).toEqual({ id: 7 });
    expect(api.requests.map(({ target }) => target)).toEqual(['/orders/7']);
  });

  // proves extending-3-27
  it('whose tool name a plugin has stops the start, and both places are told', async () => {
    const api = await startApi();
    const document = documentOf({ '/look': { get: operation('look') } });
    const entry = { name: 'shop', document: fileOf(document), baseUrl: api.url, operations: ['look'] };
    const plugin = `export default { name: 'mine', actions: [{ name: 'look', description: 'x', parameters: { type: 'object' }, execute: () => 1 }] };`;
    const { configuration } = await scriptedConfiguration({ scripts: [], plugin });
    const actions = { ...(configuration['actions'] as object), openapi: [entry] };
    await expect(inProcessHelper({ scripts: [], settings: { actions } })).rejects.toThrow(
      /the tool name "look" is used twice: by plugin "mine" .* and by API "shop"/,
    );
  });
});

describe('a call of an API (contract/openapi.md#calls)', () => {
  // proves extending-3-42
  it('has the headers of the configuration and the trace, and no argument replaces one', async () => {
    const header = (name: string): object => ({ name, in: 'header', schema: { type: 'string' } });
    const document = documentOf({
      '/a': { get: operation('one', { parameters: ['X-Api-Key', 'Authorization', 'X-Free'].map(header) }) },
    });
    const one = calling({ name: 'one', arguments: { 'X-Free': 'yes' } });
    const forged = calling({ name: 'one', arguments: { 'X-Api-Key': 'mine', Authorization: 'Bearer mine' } });
    const { session, api, model } = await withApi([one, saying('Done.'), forged, saying('No.')], {
      document,
      entry: { headers: { 'x-api-key': 'k3y', Authorization: 'Bearer s3rver' } },
    });
    await allOf(session.send('go'));
    expect(api.requests[0]?.headers).toMatchObject({
      'x-api-key': 'k3y',
      authorization: 'Bearer s3rver',
      'x-free': 'yes',
    });
    await allOf(session.send('go'));
    expect(api.requests).toHaveLength(1);
    expect(toldTo(model).at(-1)).toContain('is not known');
  });

  // proves extending-3-42
  it("has the user's own token with forwardAuthorization, and without it has none", async () => {
    const api = await startApi();
    const shop = { name: 'shop', document: fileOf(shopDocument), baseUrl: api.url, operations: ['getOrder'] };
    const forwarding = {
      ...shop,
      name: 'forwarding',
      document: fileOf(documentOf({ '/b': { get: operation('other') } })),
      operations: ['other'],
      forwardAuthorization: true,
    };
    const { url } = await scriptedServer({
      scripts: [lookUp, saying('.'), calling({ name: 'other', arguments: {} }), saying('.')],
      overrides: { HELPER__AUTH__JWT__SECRET: tokenSecret },
      settings: { actions: { openapi: [shop, forwarding] } },
    });
    const authorization = `Bearer ${await makeToken({ sub: 'ann' })}`;
    for (const message of ['one', 'two']) {
      await (await openSse(`${url}/helper/chat`, { body: { message }, headers: { authorization } })).next('end');
    }
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, authorization]);
  });

  // proves extending-3-41
  it('refuses a value that would leave its path, in words for the model, and nothing is sent', async () => {
    const parameters = [{ name: 'file', in: 'path', required: true, schema: { type: 'string' } }];
    const document = documentOf({ '/files/{file}': { get: operation('getFile', { parameters }) } });
    const { session, api, model } = await withApi(
      [calling({ name: 'get_file', arguments: { file: '../admin' } }), saying('No.')],
      { document },
    );
    await allOf(session.send('go'));
    expect(api.requests).toEqual([]);
    expect(toldTo(model).at(-1)).toContain('file: must not be . or ..');
  });

  // proves extending-3-43
  it('follows no redirect: a read has failed, and nobody knows of a write', async () => {
    const elsewhere = await startApi();
    const opened = await withApi([lookUp, saying('No.'), cancel, saying('Unclear.')]);
    opened.api.answer = (_request, response) => response.writeHead(302, { location: elsewhere.url }).end();
    expect(statusesIn(await approved(opened))).toEqual(['get_order failed']);
    expect(statusesIn(await approved(opened))).toEqual(['cancel_order unknown']);
    expect(elsewhere.requests).toEqual([]);
  });

  // proves extending-3-45
  it('that the API refuses fails with the status and one line of its own words', async () => {
    const opened = await withApi([cancel, saying('No.')]);
    opened.api.answer = json({ title: 'Conflict', detail: 'It was\nsent already.' }, 409, 'application/problem+json');
    expect(statusesIn(await approved(opened))).toEqual(['cancel_order failed']);
    expect(toldTo(opened.model).at(-1)).toContain('shop answered with status 409: It was sent already.');
  });

  // proves extending-3-45
  it('that fails in the API tells the status and never the body', async () => {
    const opened = await withApi([lookUp, saying('No.')]);
    opened.api.answer = json({ detail: 'stack trace' }, 500);
    const events = await approved(opened);
    expect(statusesIn(events)).toEqual(['get_order failed']);
    expect(JSON.stringify(events) + toldTo(opened.model).join()).not.toContain('stack trace');
    expect(toldTo(opened.model).at(-1)).toContain('shop answered with status 500');
    expect(opened.api.requests).toHaveLength(1);
  });

  const gone =
    (status: number): ApiServer['answer'] =>
    (_request, response) =>
      response.writeHead(status).end();

  // proves extending-3-44
  it('that only reads is made again after 503, twice at most; a write is not', async () => {
    const opened = await withApi([lookUp, saying('No.'), cancel, saying('No.')]);
    opened.api.answer = gone(503);
    await approved(opened);
    expect(opened.api.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET']);
    expect(statusesIn(await approved(opened))).toEqual(['cancel_order failed']);
    expect(opened.api.requests).toHaveLength(4);
  });

  // proves extending-3-44
  it('that breaks off leaves a write unknown, and is not made again', async () => {
    const opened = await withApi([cancel, saying('Unclear.')]);
    opened.api.answer = (_request, response) => response.destroy();
    expect(statusesIn(await approved(opened))).toEqual(['cancel_order unknown']);
    expect(opened.api.requests).toHaveLength(1);
  });

  // proves extending-3-44
  it('that a gateway did not pass on leaves a write unknown', async () => {
    const opened = await withApi([cancel, saying('Unclear.')]);
    opened.api.answer = gone(504);
    expect(statusesIn(await approved(opened))).toEqual(['cancel_order unknown']);
  });

  // proves extending-3-46
  it('of an API that is away did not run, and after five failures it is left alone for a while', async () => {
    const opened = await withApi([...Array.from({ length: 6 }, () => [lookUp, saying('Away.')]).flat()]);
    opened.api.answer = gone(500);
    for (let turn = 0; turn < 5; turn += 1) await approved(opened);
    expect(opened.api.requests).toHaveLength(5);
    expect(statusesIn(await approved(opened))).toEqual(['get_order failed']);
    expect(opened.api.requests).toHaveLength(5);
    expect(toldTo(opened.model).at(-1)).toContain('cannot be reached right now');
  });

  // proves extending-3-47
  it('takes no longer than `timeout`, and answers of more than 1 MiB are not read', async () => {
    const opened = await withApi([lookUp, saying('Slow.'), lookUp, saying('Large.')], { entry: { timeout: '300ms' } });
    opened.api.answer = () => undefined;
    expect(statusesIn(await approved(opened))).toEqual(['get_order failed']);
    opened.api.answer = (_request, response) => response.writeHead(200).end('x'.repeat(1024 * 1024 + 1));
    expect(statusesIn(await approved(opened))).toEqual(['get_order failed']);
    expect(toldTo(opened.model).at(-1)).toContain('larger than 1 MiB');
  });

  // proves extending-3-47
  it('may answer with text, with nothing, or with what cannot be shown', async () => {
    const opened = await withApi([lookUp, saying('.'), lookUp, saying('.'), lookUp, saying('.')]);
    opened.api.answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('plain');
    await approved(opened);
    opened.api.answer = gone(204);
    await approved(opened);
    opened.api.answer = (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('png');
    await approved(opened);
    expect(toldTo(opened.model)).toEqual([
      '[succeeded] plain',
      '[succeeded] The call succeeded with status 204. Nothing was returned.',
      '[succeeded] The call succeeded. It returned image/png, which is not shown.',
    ]);
  });

  // proves extending-3-22
  it('marks the arguments of `sinks` as destinations (contract/provenance.md#sinks)', async () => {
    const misspelt = await withApi([saying('.')], { entry: { actions: { cancelOrder: { sinks: ['recipient'] } } } });
    await allOf(misspelt.session.send('hi'));
    expect(offeredIn(misspelt.model, 0)).toEqual(['get_order']);
    const marked = await withApi([saying('.')], { entry: { actions: { cancelOrder: { sinks: ['reason'] } } } });
    await allOf(marked.session.send('hi'));
    expect(offeredIn(marked.model, 0)).toEqual(['get_order', 'cancel_order']);
    expect(JSON.stringify(marked.model.requests[0]?.body['tools'])).not.toContain('sink');
  });
});

describe('headers of an API (contract/openapi.md#configuration)', () => {
  // proves extending-3-06
  it('have new values while the server runs, from a changed file', async () => {
    const api = await startApi();
    const model = await startScriptedModel({ scripts: [lookUp, saying('.')], otherwise: saying('.') });
    onTestFinished(() => model.close());
    const shop = { name: 'shop', document: 'shop.json', baseUrl: api.url, operations: ['getOrder'] };
    const configuration = {
      appName: 'Shop',
      chatClient: 'main',
      models: { main: { provider: 'openai', baseUrl: model.url, model: 'one', apiKey: 'none' } },
      actions: { openapi: [{ ...shop, headers: { 'X-Key': '${file:key}' } }] },
    };
    const folder = filesOf({ 'shop.json': shopDocument, key: 'first\n', 'helper.yaml': configuration });
    const running = startServerProcess({ folder: join(folder, 'data'), config: join(folder, 'helper.yaml') });
    const url = await running.url;
    writeFileSync(join(folder, 'key'), 'second\n');
    await expect.poll(running.printed).toContain('actions.openapi[].headers');
    await (await openSse(`${url}/helper/chat`, { body: { message: 'order 7?' } })).next('end');
    expect(api.requests.map(({ headers }) => headers['x-key'])).toEqual(['second']);
  });
});
