import { describe, expect, it } from 'vitest';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { type HubRoute, hubRoutes, scenarioClient } from '../support/hub-scenario-client.ts';
import { type HubServer, hubServer } from '../support/hub-server.ts';

const showOrder = {
  name: 'show_order',
  description: 'Scrolls to an order.',
  parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  readOnly: true,
};
const deleteOrder = { ...showOrder, name: 'delete_order', readOnly: false };
const page = { name: 'orders', actions: [showOrder, deleteOrder] };

/** A model that calls a UI action in its first answer, and says in the second what it was told. */
function callingModel(name: string, args: unknown = { id: 7 }) {
  return fakeModel({ toolCalls: [call(name, args)] }, { text: 'Done.' });
}

function toldTo(model: ReturnType<typeof fakeModel>): string {
  return model.requests[1]?.messages.at(-1)?.text ?? '';
}

/** A client that is the page: it offers the two actions and answers as `handle` does. */
async function pageClient(url: string, route: HubRoute, handle: ((request: object) => unknown) | undefined) {
  const asked: unknown[] = [];
  const questions: { readonly actionId: string; readonly reason: string }[] = [];
  const client = await scenarioClient(url, route, {
    prepare: (connection) => {
      if (handle !== undefined) {
        connection.on('UiActionRequested', (request: object) => {
          asked.push(request);
          return handle(request);
        });
      }
      connection.on('ConfirmationRequested', (question: (typeof questions)[number]) => questions.push(question));
    },
  });
  await client.connection.invoke('SetPage', page);
  return { ...client, asked, questions };
}

async function approve({ origin }: HubServer, actionId: string | undefined, approved: boolean): Promise<number> {
  const answer = await fetch(`${origin}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ actionId, approved }),
  });
  return answer.status;
}

const named = hubRoutes.map((route) => ({
  title: `${String(route.release)} ${route.transport} ${route.protocol}`,
  route,
}));
const [anyRoute] = hubRoutes as readonly [HubRoute, ...HubRoute[]];

describe.each(named)('$title: a UI action (contract/ui-actions.md)', ({ route }) => {
  // proves wire-2-70
  it('runs in the page, and what the page returns goes to the model as data', async () => {
    const model = callingModel('page_show_order');
    const { url } = await hubServer({ model });
    const client = await pageClient(url, route, () => ({ shown: 7 }));
    const result = await client.connection.invoke<{ turnId: string }>('SendMessage', 'show order 7');
    expect(result).toMatchObject({ status: 'completed', text: 'Done.' });
    expect(client.asked).toEqual([
      { turnId: result.turnId, callId: expect.any(String) as string, name: 'show_order', arguments: { id: 7 } },
    ]);
    expect(toldTo(model)).toBe('[succeeded] <data of="answer of the page">\n{"shown":7}\n</data>');
    expect(client.faults()).toEqual([]);
  });

  // proves wire-3-74
  it('asks like a write unless it is declared readOnly, and runs once it is approved', async () => {
    const model = callingModel('page_delete_order');
    const server = await hubServer({ model });
    const client = await pageClient(server.url, route, () => true);
    const result = client.connection.invoke('SendMessage', 'delete order 7');
    await expect.poll(() => client.questions).toHaveLength(1);
    expect(client.questions[0]).toMatchObject({ action: 'page_delete_order', reason: 'write', canRemember: false });
    expect(client.asked).toEqual([]);
    expect(await approve(server, client.questions[0]?.actionId, true)).toBe(200);
    expect(await result).toMatchObject({ status: 'completed' });
    expect(client.asked).toHaveLength(1);
    expect(client.faults()).toEqual([]);
  });
});

describe('a UI action with a sink (contract/ui-actions.md)', () => {
  const properties = { to: { type: 'string', sink: true }, text: { type: 'string' } };
  const fillMail = { name: 'fill_mail', description: 'Fills in a mail.', parameters: { type: 'object', properties } };

  async function mailing(message: string) {
    const model = callingModel('page_fill_mail', { to: 'ann@shop.test', text: 'Hello' });
    const server = await hubServer({ model });
    const client = await pageClient(server.url, anyRoute, () => true);
    await client.connection.invoke('SetPage', { name: 'mail', actions: [{ ...fillMail, readOnly: true }] });
    return { client, server, model, result: client.connection.invoke('SendMessage', message) };
  }

  // proves wire-3-79
  it('runs with a value that the user has written, and the model is not told of the mark', async () => {
    const { client, model, result } = await mailing('Write to ann@shop.test');
    expect(await result).toMatchObject({ status: 'completed' });
    expect(client.asked).toHaveLength(1);
    expect(JSON.stringify(model.requests[0]?.tools)).not.toContain('sink');
  });

  // proves wire-3-79
  it('asks with any other value although it is readOnly, marks the value, and runs once it is approved', async () => {
    const { client, server, result } = await mailing('Write to Ann');
    await expect.poll(() => client.questions).toHaveLength(1);
    expect(client.questions[0]).toMatchObject({
      reason: 'influenced',
      arguments: [{ name: 'to', value: 'ann@shop.test', notFromUser: true }, { name: 'text' }],
    });
    expect(client.asked).toEqual([]);
    expect(await approve(server, client.questions[0]?.actionId, true)).toBe(200);
    expect(await result).toMatchObject({ status: 'completed' });
    expect(client.asked).toHaveLength(1);
  });
});

describe('a UI action that does not run (contract/ui-actions.md)', () => {
  // proves wire-3-74
  it('was declined: the page is never asked', async () => {
    const model = callingModel('page_delete_order');
    const server = await hubServer({ model });
    const client = await pageClient(server.url, anyRoute, () => true);
    const result = client.connection.invoke('SendMessage', 'delete order 7');
    await expect.poll(() => client.questions).toHaveLength(1);
    await approve(server, client.questions[0]?.actionId, false);
    await result;
    expect(client.asked).toEqual([]);
    expect(toldTo(model)).toContain('The user declined this action.');
  });

  // proves wire-3-76
  it('has no handler: the model is told so', async () => {
    const model = callingModel('page_show_order');
    const { url } = await hubServer({ model });
    const client = await pageClient(url, anyRoute, undefined);
    await client.connection.invoke('SendMessage', 'show order 7');
    expect(toldTo(model)).toContain('[failed] The page could not do it');
    expect(toldTo(model)).toContain("Client didn't provide a result.");
  });

  // proves wire-3-76
  it('has a handler that throws: the model is told so', async () => {
    const model = callingModel('page_show_order');
    const { url } = await hubServer({ model });
    const client = await pageClient(url, anyRoute, () => {
      throw new Error('no such order');
    });
    await client.connection.invoke('SendMessage', 'show order 7');
    expect(toldTo(model)).toContain('"Error: no such order"');
  });

  // proves wire-3-75
  it('answers with 65 KiB: its answer is left out, and the connection goes on', async () => {
    const model = fakeModel({ toolCalls: [call('page_show_order', { id: 7 })] }, { text: 'Done.' }, { text: 'Yes.' });
    const { url } = await hubServer({ model });
    const client = await pageClient(url, anyRoute, () => 'x'.repeat(65 * 1024));
    await client.connection.invoke('SendMessage', 'show order 7');
    expect(toldTo(model)).toContain('larger than 64 KiB');
    expect(await client.connection.invoke('SendMessage', 'still there?')).toMatchObject({ text: 'Yes.' });
  });

  // proves wire-3-72
  it('is no longer offered: SetPage replaces everything, and nothing of it is in the next turn', async () => {
    const model = fakeModel({ text: 'Hello.' });
    const { url } = await hubServer({ model });
    const client = await pageClient(url, anyRoute, () => true);
    await client.connection.invoke('SendMessage', 'one');
    await client.connection.invoke('NewConversation');
    await client.connection.invoke('SendMessage', 'two');
    await client.connection.invoke('SetPage', { name: 'home' });
    await client.connection.invoke('SendMessage', 'three');
    expect(model.requests.map(({ tools }) => tools.length)).toEqual([2, 2, 0]);
  });
});

describe('UI actions of other channels and connections (contract/ui-actions.md and contract/sse.md)', () => {
  it('are offered to the turns of their own connection only', async () => {
    const model = fakeModel({ text: 'Hello.' });
    const { url } = await hubServer({ model });
    await pageClient(url, anyRoute, () => true);
    const other = await scenarioClient(url, anyRoute);
    await other.connection.invoke('SendMessage', 'hello');
    expect(model.requests[0]?.tools).toEqual([]);
  });

  it('are asked of a stream’s connection beside its stream', async () => {
    const model = callingModel('page_show_order');
    const { url } = await hubServer({ model });
    const client = await pageClient(url, anyRoute, () => 'shown');
    const ended = Promise.withResolvers<undefined>();
    client.connection.stream('StreamMessage', 'show order 7').subscribe({
      next: () => undefined,
      error: ended.reject,
      complete: () => {
        ended.resolve(undefined);
      },
    });
    await ended.promise;
    expect(toldTo(model)).toContain('"shown"');
  });

  it('cannot be answered by another connection, whatever id it makes up', async () => {
    const model = callingModel('page_show_order');
    const { url } = await hubServer({ model });
    const victim = await RawHubClient.connect(url);
    victim.call('SetPage', '1', page);
    await victim.result('1');
    victim.call('SendMessage', '2', 'show order 7');
    const asked = await victim.next(({ target }) => target === 'UiActionRequested');
    const attacker = await RawHubClient.connect(url);
    attacker.say({ type: 3, invocationId: asked['invocationId'], result: 'forged' });
    attacker.call('GetConnectionId', '1');
    await attacker.result('1');
    victim.say({ type: 3, invocationId: asked['invocationId'], result: 'genuine' });
    victim.say({ type: 3, invocationId: asked['invocationId'], result: 'twice' });
    await victim.result('2');
    expect(toldTo(model)).toContain('"genuine"');
  });
});

describe('a lost connection in the middle of a UI action (contract/ui-actions.md)', () => {
  // proves wire-3-77
  it('is told to the model, and neither Resume nor a reconnect asks the page again', async () => {
    const model = callingModel('page_show_order');
    const { url } = await hubServer({ model, disconnectGraceMs: 60_000 });
    const lost = await RawHubClient.connect(url);
    lost.call('SetPage', '1', page);
    lost.call('SendMessage', '2', 'show order 7');
    const { turnId } = await lost.event('TurnStarted');
    await lost.next(({ target }) => target === 'UiActionRequested');
    const client = await RawHubClient.connect(url);
    client.call('SetPage', '1', page);
    await client.result('1');
    lost.socket.terminate();
    client.call('Resume', '2', { turnId, afterSeq: 0 });
    await client.event('TurnCompleted');
    expect(toldTo(model)).toContain('[failed] The connection to the page ended before it answered.');
    expect(client.records.filter(({ target }) => target === 'UiActionRequested')).toEqual([]);
  });

  // proves wire-3-78
  it('leaves what comes later to the connection that took the turn up, if it offers the same', async () => {
    const tool = fakeTool();
    const model = fakeModel(
      { toolCalls: [call('close_case')] },
      { toolCalls: [call('page_show_order', { id: 7 })] },
      { toolCalls: [call('page_delete_order', { id: 7 })] },
      { text: 'Done.' },
    );
    const server = await hubServer({ model, toolList: [tool], disconnectGraceMs: 60_000 });
    const lost = await RawHubClient.connect(server.url);
    lost.call('SetPage', '1', page);
    lost.call('SendMessage', '2', 'close it');
    const { turnId, actionId, seq } = await lost.event('ConfirmationRequested');
    lost.socket.terminate();
    const client = await RawHubClient.connect(server.url);
    client.call('SetPage', '1', { ...page, actions: [showOrder, { ...deleteOrder, readOnly: true }] });
    client.call('Resume', '2', { turnId, afterSeq: seq });
    expect(await client.event('ConfirmationRequested')).toMatchObject({ actionId });
    expect(await approve(server, String(actionId), true)).toBe(200);
    const asked = await client.next(({ target }) => target === 'UiActionRequested');
    client.say({ type: 3, invocationId: asked['invocationId'], result: 'shown' });
    // The offer from the beginning of the turn counts, and it needs a question. The new offer of the page would need none.
    const question = await client.event('ConfirmationRequested');
    expect(question).toMatchObject({ action: 'page_delete_order' });
    expect(await approve(server, String(question['actionId']), true)).toBe(200);
    await client.event('TurnCompleted');
    const told = model.requests[3]?.messages.filter(({ role }) => role === 'tool').map(({ text }) => text) ?? [];
    expect(told[1]).toContain('"shown"');
    expect(told[2]).toContain('is not there any more, or offers it differently now');
  });
});

describe('SetPage with what should hurt (contract/ui-actions.md)', () => {
  const offering = (...actions: readonly unknown[]) => ({ name: 'orders', actions });
  const property = (schema: unknown) => ({
    ...showOrder,
    parameters: { type: 'object', properties: { a: schema } },
  });

  it.each<[string, unknown, string]>([
    // proves wire-3-70
    ['33 actions', offering(...Array.from({ length: 33 }, () => showOrder)), 'more than 32 entries'],
    // proves wire-3-70
    ['5 KiB of schema', offering(property({ description: 'x'.repeat(5000) })), 'larger than 4096 bytes'],
    // proves wire-3-71
    ['a catastrophic pattern', offering(property({ pattern: '^(a+)+$' })), 'uses "pattern"'],
    ['a schema that refers to itself', offering(property({ $ref: '#' })), 'uses "$ref"'],
    ['a schema that refers elsewhere', offering(property({ $ref: 'http://127.0.0.1/' })), 'uses "$ref"'],
    ['a name out of the ordinary', offering({ ...showOrder, name: '__proto__' }), 'must match'],
    ['9 KiB of data', { name: 'orders', data: 'x'.repeat(9000) }, 'larger than 8192 bytes'],
  ])('is refused for %s, changes nothing, and the connection goes on', async (_title, argument, words) => {
    const model = fakeModel({ text: 'Hello.' });
    const { url } = await hubServer({ model });
    const client = await pageClient(url, anyRoute, () => true);
    await expect(client.connection.invoke('SetPage', argument)).rejects.toThrow(words);
    await client.connection.invoke('SendMessage', 'hello');
    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['page_show_order', 'page_delete_order']);
  });

  it('is refused with the words of SignalR for a wrong type', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'Hello.' }) });
    const { connection } = await scenarioClient(url, anyRoute);
    await expect(connection.invoke('SetPage', offering({ ...showOrder, readOnly: 'yes' }))).rejects.toThrow(
      "Failed to invoke 'SetPage' due to an error on the server.",
    );
  });
});
