import type { HubConnection } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished } from 'vitest';
import { words } from '../support/histories.ts';
import { asUser, connectAs, listOf } from '../support/kept-conversations.ts';
import { calling, type ModelScript, saying, startScriptedModel } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const [ann, bob] = await Promise.all(['ann', 'bob'].map((sub) => makeToken({ sub })));

const start = (scripts: readonly ModelScript[], settings: object = {}): Promise<ScriptedServer> =>
  scriptedServer({
    scripts,
    settings: { auth: { jwt: { secret: tokenSecret } }, chatHistoryProvider: 'storage', ...settings },
  });

const send = (hub: HubConnection, text: string): Promise<{ readonly status: string; readonly code?: string }> =>
  hub.invoke('SendMessage', text);

const page = (url: string, query = ''): string => `${url}/helper/conversations${query}`;

describe('a kept conversation (contract/sessions.md#kept-conversations)', () => {
  // proves service-2.9-70, service-2.9-72
  it('is listed for its signed-in user, the newest first, and read whole', async () => {
    const { url } = await start([saying('Hello Ann.'), saying('It is on its way.'), saying('Sure.')]);
    const hub = await connectAs(url, ann);
    await send(hub, 'Hello there');
    await send(hub, 'Where is my order?');
    const { conversationId } = await hub.invoke<{ conversationId: string }>('NewConversation');
    await send(hub, 'Another  subject,\nin two lines');
    const listed = await listOf(url, ann);
    expect(listed.map(({ title }) => title)).toEqual(['Another subject, in two lines', 'Hello there']);
    expect(listed[0]?.id).toBe(conversationId);
    const [, first] = listed;
    expect(Date.parse(String(first?.startedAt))).toBeLessThanOrEqual(Date.parse(String(first?.lastAt)));
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
    const turnId = expect.stringMatching(/^[\w-]{22}$/) as string;
    expect(await asUser(`${page(url)}/${String(first?.id)}`, ann)).toEqual({
      status: 200,
      body: {
        id: first?.id,
        title: 'Hello there',
        messages: [
          { role: 'user', text: 'Hello there', at, turnId },
          { role: 'assistant', text: 'Hello Ann.', at },
          { role: 'user', text: 'Where is my order?', at, turnId },
          { role: 'assistant', text: 'It is on its way.', at },
        ],
      },
    });
  });

  // proves service-2.9-73
  it('is 401 for an anonymous caller, and 404 for another user', async () => {
    const { url } = await start([saying('Hello.')]);
    await send(await connectAs(url, ann), 'Hello');
    const id = String((await listOf(url, ann))[0]?.id);
    for (const [method, body] of [['GET'], ['PATCH', { title: 'Mine' }], ['DELETE']] as const) {
      expect(await asUser(`${page(url)}/${id}`, undefined, { method, ...(body && { body }) })).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      });
      expect(await asUser(`${page(url)}/${id}`, bob, { method, ...(body && { body }) })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
    expect((await asUser(page(url), undefined)).status).toBe(401);
    expect(await listOf(url, bob)).toEqual([]);
    expect(await listOf(url, ann)).toMatchObject([{ id, title: 'Hello' }]);
  });

  // proves service-2.9-70, service-2.9-73
  it('is not there without the option, nor for anonymous callers with it', async () => {
    const without = await start([saying('Hello.')], { chatHistoryProvider: null });
    await send(await connectAs(without.url, ann), 'Hello');
    expect((await asUser(page(without.url), ann)).status).toBe(404);
    const { url } = await start([saying('Hello.')]);
    await send(await connectAs(url, undefined), 'Hello');
    expect(await listOf(url, ann)).toEqual([]);
  });

  // proves service-2.9-71
  it('comes page by page, with a place that only the server reads', async () => {
    const { url } = await start([]);
    const hub = await connectAs(url, ann);
    for (const text of ['one', 'two', 'three']) {
      await hub.invoke('NewConversation');
      await send(hub, text);
    }
    const titles = (body: Readonly<Record<string, unknown>>): unknown =>
      (body['conversations'] as readonly { readonly title: string }[]).map(({ title }) => title);
    const first = (await asUser(page(url, '?limit=2'), ann)).body;
    expect(titles(first)).toEqual(['three', 'two']);
    const second = (await asUser(page(url, `?limit=2&before=${String(first['next'])}`), ann)).body;
    expect([titles(second), second['next']]).toEqual([['one'], undefined]);
    for (const query of ['?limit=0', '?limit=101', '?limit=x', '?before=nonsense', '?before=%20']) {
      expect(await asUser(page(url, query), ann)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });

  // proves service-2.9-74
  it('has another title after PATCH, which is bounded and shown on one line', async () => {
    const { url } = await start([saying('Hello.')]);
    await send(await connectAs(url, ann), 'Hello');
    const one = `${page(url)}/${String((await listOf(url, ann))[0]?.id)}`;
    const patch = (body: object) => asUser(one, ann, { method: 'PATCH', body });
    expect((await patch({ title: ' Late\u202e\ndeliveries ' })).status).toBe(204);
    expect(await listOf(url, ann)).toMatchObject([{ title: 'Late deliveries' }]);
    for (const body of [{ title: '' }, { title: '\u200b\n' }, { title: 'x'.repeat(121) }, { title: 1 }, {}]) {
      expect(await patch(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    const noJson = await fetch(one, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${String(ann)}` },
      body: 'x',
    });
    expect(noJson.status).toBe(415);
    expect(await listOf(url, ann)).toMatchObject([{ title: 'Late deliveries' }]);
  });

  // proves wire-3-95
  it('goes on after OpenConversation: the model reads what was said, and the next message is added to it', async () => {
    const { url, model } = await start([
      calling({ name: 'find_orders', arguments: {} }),
      saying('Three orders.'),
      saying('Hello.'),
      saying('The first one.'),
    ]);
    const hub = await connectAs(url, ann);
    await send(hub, 'Which orders are there?');
    const id = String((await listOf(url, ann))[0]?.id);
    await hub.invoke('NewConversation');
    await send(hub, 'Hi');
    const opened = await hub.invoke<{ conversationId: string; messages: { role: string; text: string }[] }>(
      'OpenConversation',
      id,
    );
    expect(opened).toMatchObject({
      conversationId: id,
      messages: [
        { role: 'user', text: 'Which orders are there?' },
        { role: 'assistant', text: 'Three orders.' },
      ],
    });
    await send(hub, 'Which is the oldest?');
    const roles = (model.requests[3]?.body['messages'] as readonly { readonly role: string }[]).map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user']);
    const listed = await listOf(url, ann);
    expect(listed.map(({ title }) => title)).toEqual(['Which orders are there?', 'Hi']);
    const { body } = await asUser(`${page(url)}/${id}`, ann);
    expect((body['messages'] as readonly { readonly text: string }[]).map(({ text }) => text)).toEqual([
      'Which orders are there?',
      'Three orders.',
      'Which is the oldest?',
      'The first one.',
    ]);
  });

  // proves service-2.9-68
  it('keeps its summary: whoever goes back to it needs no new one', async () => {
    const small = await startScriptedModel({ scripts: [saying('Doors'), saying('They spoke of doors.')] });
    onTestFinished(() => small.close());
    const { url, model } = await scriptedServer({
      scripts: ['One.', 'Two.', 'Three.', 'Four.'].map((text) => saying(text)),
      models: { small: { provider: 'openai', baseUrl: small.url, model: 'small', apiKey: 'none' } },
      settings: {
        ...{ auth: { jwt: { secret: tokenSecret } }, chatHistoryProvider: 'storage', classifierChatClient: 'small' },
        ...{ enableCompaction: true, compactionSummary: true, compactionTokenThreshold: 150, compactionMaxTurns: 1 },
      },
    });
    const hub = await connectAs(url, ann);
    await send(hub, `one ${words(100)}`);
    await small.request(0);
    await send(hub, `two ${words(60)}`);
    await send(hub, 'three');
    expect(small.requests).toHaveLength(2);
    const [listed] = await listOf(url, ann);
    const other = await connectAs(url, ann);
    await other.invoke('OpenConversation', listed?.id);
    await send(other, 'four');
    const sent = JSON.stringify(model.requests.at(-1)?.body['messages']);
    expect(sent).toContain('They spoke of doors.');
    expect(sent).not.toContain('one door');
    expect(small.requests).toHaveLength(2);
  });

  // proves wire-3-96
  it('is opened by its own user alone, on a connection where nothing runs', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    const { url, model } = await start([
      saying('Hello.'),
      async (exchange) => {
        await held;
        await saying('Done.')(exchange);
      },
    ]);
    const hub = await connectAs(url, ann);
    await send(hub, 'Hello');
    const id = String((await listOf(url, ann))[0]?.id);
    const open = async (token: string | undefined): Promise<unknown> =>
      (await connectAs(url, token)).invoke('OpenConversation', id);
    await expect(open(bob)).rejects.toThrow('not_found');
    await expect(open(undefined)).rejects.toThrow('unauthenticated');
    const running = send(hub, 'Take your time');
    await model.request(1);
    await expect(hub.invoke('OpenConversation', id)).rejects.toThrow('turn_in_progress');
    release(undefined);
    expect(await running).toMatchObject({ status: 'completed' });
    expect(await hub.invoke('OpenConversation', id)).toMatchObject({ conversationId: id });
  });

  // proves service-2.9-75, wire-3-96
  it('that is deleted does not come back: not by what runs in it, a snapshot, or its id', async () => {
    const { url, model } = await start([saying('Hello.'), () => new Promise(() => undefined)]);
    const hub = await connectAs(url, ann);
    await send(hub, 'Hello');
    const id = String((await listOf(url, ann))[0]?.id);
    const session = `${url}/helper/session?connectionId=`;
    const saved = await asUser(`${session}${String(hub.connectionId)}`, ann);
    const running = send(hub, 'And then?');
    await model.request(1);
    expect((await asUser(`${page(url)}/${id}`, ann, { method: 'DELETE' })).status).toBe(204);
    expect(await running).toMatchObject({ status: 'stopped' });
    expect(await listOf(url, ann)).toEqual([]);
    const other = await connectAs(url, ann);
    const restored = await asUser(`${session}${String(other.connectionId)}`, ann, { method: 'POST', body: saved.body });
    expect(restored).toMatchObject({ status: 400, body: { code: 'snapshot_refused' } });
    await expect(other.invoke('OpenConversation', id)).rejects.toThrow('not_found');
    expect((await asUser(`${page(url)}/${id}`, ann, { method: 'DELETE' })).status).toBe(404);
    // The connection continues with an empty conversation, which is kept like any other.
    await send(hub, 'Something new');
    const sent = model.requests[2]?.body['messages'] as readonly { readonly role: string }[];
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(await listOf(url, ann)).toMatchObject([{ title: 'Something new' }]);
  });

  // proves service-2.9-81
  it('is kept whole beside a chatReducer, which is warned of', async () => {
    const plugin = `
      import { definePlugin } from 'helper';
      export default definePlugin({
        name: 'short',
        actions: [{ name: 'look', description: 'Looks.', readOnly: true, parameters: { type: 'object', additionalProperties: true }, execute: () => 1 }],
        providers: { chatReducer: () => [] },
      });`;
    const settings = { auth: { jwt: { secret: tokenSecret } }, chatHistoryProvider: 'storage' };
    const { url, model, server } = await scriptedServer({
      scripts: [saying('One.'), saying('Two.')],
      plugin,
      settings,
    });
    expect(server.report.warnings.map(({ code }) => code)).toContain('HLP1070');
    const hub = await connectAs(url, ann);
    await send(hub, 'first');
    await send(hub, 'second');
    const roles = (model.requests[1]?.body['messages'] as readonly { readonly role: string }[]).map(({ role }) => role);
    expect(roles).toEqual(['system', 'user', 'assistant', 'user']);
  });

  // proves service-2.9-78
  it('is named by classifierChatClient after its first turn, which does not wait for that', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    const { url } = await scriptedServer({
      scripts: [
        saying('It is on its way.'),
        async (exchange) => {
          await held;
          await saying('"Delivery of an order".')(exchange);
        },
        saying('Tomorrow.'),
      ],
      settings: {
        auth: { jwt: { secret: tokenSecret } },
        chatHistoryProvider: 'storage',
        classifierChatClient: 'main',
      },
    });
    const hub = await connectAs(url, ann);
    expect(await send(hub, 'Where is my order?')).toMatchObject({ status: 'completed' });
    expect(await listOf(url, ann)).toMatchObject([{ title: 'Where is my order?' }]);
    release(undefined);
    await expect.poll(async () => (await listOf(url, ann))[0]?.title).toBe('Delivery of an order');
    await send(hub, 'When?');
    expect(await listOf(url, ann)).toMatchObject([{ title: 'Delivery of an order' }]);
  });

  // proves service-2.9-79
  it('goes on after a snapshot of it is restored, as it stands by then', async () => {
    const { url } = await start([saying('One.'), saying('Two.'), saying('Three.')]);
    const hub = await connectAs(url, ann);
    await send(hub, 'first');
    const session = `${url}/helper/session?connectionId=`;
    const saved = await asUser(`${session}${String(hub.connectionId)}`, ann);
    await send(hub, 'second');
    const other = await connectAs(url, ann);
    const restored = await asUser(`${session}${String(other.connectionId)}`, ann, { method: 'POST', body: saved.body });
    const [{ id } = { id: '' }] = await listOf(url, ann);
    expect(restored.body).toMatchObject({
      conversationId: id,
      messages: [{ text: 'first' }, { text: 'One.' }, { text: 'second' }, { text: 'Two.' }],
    });
    await send(other, 'third');
    expect(await listOf(url, ann)).toHaveLength(1);
    const { body } = await asUser(`${page(url)}/${id}`, ann);
    expect(body['messages']).toHaveLength(6);
  });
});
