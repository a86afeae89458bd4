import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HubConnection } from '../../src/channels/hub/protocol/connection/hub-connection.ts';
import { CallerRoom } from '../../src/core/limits/caller-room.ts';
import { call, fakeModel } from '../support/fake-model.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { RawHubClient, UpgradeRefused } from '../support/hub-raw-client.ts';
import { hubServer, protocolServer } from '../support/hub-server.ts';

function held(text = 'Half') {
  const release = Promise.withResolvers<undefined>();
  onTestFinished(() => {
    release.resolve(undefined);
  });
  return { model: fakeModel({ text, until: release.promise }, { text: 'next' }), release };
}

async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  const opened: unknown = await RawHubClient.open(url, headers).catch((error: unknown) => error);
  return opened instanceof UpgradeRefused ? opened.status : 101;
}

describe('a turn on the hub (contract/events.md and contract/hub.md)', () => {
  // proves wire-2-33
  it('sends the deltas of one read as one frame, whatever their number', async () => {
    const pieces = Array.from({ length: 200 }, (_piece, index) => `${String(index)} `);
    const { url } = await hubServer({ model: fakeModel({ pieces }) });
    const client = await RawHubClient.connect(url);
    const before = client.frames.length;
    client.call('SendMessage', '1', 'count');
    expect(await client.result('1')).toMatchObject({ status: 'completed', text: pieces.join('') });
    // The frames are the start, the text, and the end with the result. There is not one frame for each delta.
    expect(client.frames.length - before).toBeLessThanOrEqual(4);
  });

  // proves wire-3-14
  it('begins an empty conversation and stops what runs', async () => {
    const { model } = held();
    const { url } = await hubServer({ model });
    const client = await RawHubClient.connect(url);
    client.call('SendMessage', '1', 'hello');
    const { conversationId } = await client.event('TurnStarted');
    client.call('NewConversation', '2');
    const renewed = await client.result('2');
    expect(await client.result('1')).toMatchObject({ status: 'stopped' });
    client.call('SendMessage', '3', 'again');
    await client.result('3');
    expect(renewed).toEqual({ conversationId: (await client.event('TurnStarted'))['conversationId'] });
    expect(renewed).not.toEqual({ conversationId });
    expect(model.requests[1]?.messages).toHaveLength(1);
  });

  it('refuses SendMessage during a stream, also when a second stream was refused before (contract/hub.md)', async () => {
    const { model } = held();
    const { url } = await hubServer({ model });
    const client = await RawHubClient.connect(url);
    client.say({ type: 4, target: 'StreamMessage', arguments: ['first'], invocationId: '1' });
    client.say({ type: 4, target: 'StreamMessage', arguments: ['second'], invocationId: '2' });
    await client.next(({ type, invocationId }) => type === 3 && invocationId === '2');
    client.call('SendMessage', '3', 'third');
    expect(await client.result('3')).toMatchObject({ status: 'refused', code: 'turn_in_progress' });
  });

  it('refuses a form nested too deep to be written down, and goes on (contract/hub.md)', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'fine' }) });
    const client = await RawHubClient.connect(url);
    const data = `${'['.repeat(4380)}${']'.repeat(4380)}`;
    const options = `{"cardSubmit":{"cardId":"card","data":${data}}}`;
    client.socket.send(`{"type":1,"target":"SendMessage","invocationId":"1","arguments":["hi",${options}]}\u001e`);
    expect(await client.result('1')).toEqual({
      error: expect.stringContaining('HubException: cardSubmit.data has more than 64 levels.') as string,
    });
    client.call('SendMessage', '2', 'hello');
    expect(await client.result('2')).toMatchObject({ text: 'fine' });
  });

  // proves wire-3-20
  it('lets messages wait for each other, in order', async () => {
    const { model, release } = held('one');
    const { url } = await hubServer({ model });
    const client = await RawHubClient.connect(url);
    client.call('SendMessage', '1', 'first');
    client.call('SendMessage', '2', 'second');
    await client.event('TextDelta');
    expect(model.requests).toHaveLength(1);
    release.resolve(undefined);
    expect(await client.result('1')).toMatchObject({ text: 'one' });
    expect(await client.result('2')).toMatchObject({ text: 'next' });
  });

  it('survives bad calls: the next message works', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'fine' }) });
    const client = await RawHubClient.connect(url);
    client.call('SendMessage', '1', { text: 'object' });
    client.call('Resume', '2', 'nonsense');
    client.call('SetPage', '3', { name: 'a', data: 'x'.repeat(9000) });
    expect(await client.result('1')).toHaveProperty('error');
    expect(await client.result('2')).toHaveProperty('error');
    expect(await client.result('3')).toEqual({
      error:
        "An unexpected error occurred invoking 'SetPage' on the server. HubException: page.data is larger than 8192 bytes.",
    });
    client.call('SendMessage', '4', 'hello');
    expect(await client.result('4')).toMatchObject({ text: 'fine' });
  });
});

describe('a lost connection (contract/hub.md)', () => {
  // proves wire-3-18, wire-3-37, wire-3-38
  it('keeps the turn for the grace, sends open confirmations again, and carries on what waits', async () => {
    const tool = fakeTool();
    const model = fakeModel({ toolCalls: [call('close_case')] }, { text: 'Closed.' }, { text: 'Second.' });
    const { url, assistant, metrics } = await hubServer({ model, toolList: [tool], disconnectGraceMs: 60_000 });
    const lost = await RawHubClient.connect(url);
    lost.call('SendMessage', '1', 'close it');
    lost.call('SendMessage', '2', 'and then');
    const { turnId, actionId, seq } = await lost.event('ConfirmationRequested');
    lost.socket.terminate();
    const client = await RawHubClient.connect(url);
    client.call('Resume', '1', { turnId, afterSeq: seq });
    expect(await client.result('1')).toEqual({ turnId, lastSeq: seq, running: true });
    expect(metrics.counted).toContainEqual({ what: 'connectionReturned', value: ['hub', 'turn'] });
    expect(await client.event('ConfirmationRequested')).toMatchObject({ actionId, seq });
    const session = assistant.findSession(await idOf(client));
    if (session === undefined) throw new Error('the session is gone');
    await assistant.answerConfirmation({ actionId: String(actionId), approved: true }, session.principal);
    expect(await client.event('TurnCompleted')).toMatchObject({ turnId, text: 'Closed.' });
    expect(await client.event('TurnCompleted')).toMatchObject({ text: 'Second.' });
    expect(tool.runs).toHaveLength(1);
  });

  it('brings the conversation along when it has ended meanwhile', async () => {
    const { model, release } = held('one');
    const { url, assistant } = await hubServer({ model });
    const lost = await RawHubClient.connect(url);
    lost.call('SendMessage', '1', 'first');
    const { turnId, seq } = await lost.event('TextDelta');
    lost.socket.terminate();
    await lost.closed;
    release.resolve(undefined);
    await expect.poll(() => assistant.runningTurns).toBe(0);
    const client = await RawHubClient.connect(url);
    client.call('Resume', '1', { turnId, afterSeq: seq });
    expect(await client.result('1')).toMatchObject({ turnId, running: false });
    expect(await client.event('TurnCompleted')).toMatchObject({ turnId, text: 'one' });
    client.call('SendMessage', '2', 'second');
    await client.result('2');
    expect(model.requests[1]?.messages.map(({ text }) => text)).toEqual(['first', 'one', 'second']);
  });

  it('does not push out the running turn of the connection that takes it up: Stop still finds that', async () => {
    const release = Promise.withResolvers<undefined>();
    const { url, assistant } = await hubServer({ model: fakeModel({ text: 'x', until: release.promise }) });
    const lost = await RawHubClient.connect(url);
    lost.call('SendMessage', '1', 'theirs');
    const { turnId } = await lost.event('TextDelta');
    const client = await RawHubClient.connect(url);
    client.call('SendMessage', '1', 'mine');
    await client.event('TextDelta');
    lost.socket.terminate();
    await lost.closed;
    client.call('Resume', '2', { turnId, afterSeq: 0 });
    expect(await client.result('2')).toMatchObject({ turnId, running: true });
    expect(await assistant.findSession(await idOf(client))?.stop('user')).toBe(true);
    expect(await client.result('1')).toMatchObject({ status: 'stopped' });
    client.socket.close(1000);
    await expect.poll(() => assistant.runningTurns).toBe(0);
  });

  // proves wire-3-34
  it('is forgotten when the grace is over', async () => {
    const { model } = held();
    const { url, assistant } = await hubServer({ model, disconnectGraceMs: 30 });
    const client = await RawHubClient.connect(url);
    const connectionId = await idOf(client);
    client.call('SendMessage', '1', 'hello');
    await client.event('TextDelta');
    client.socket.terminate();
    await expect.poll(() => assistant.runningTurns).toBe(0);
    await expect.poll(() => assistant.findSession(connectionId)).toBeUndefined();
  });

  it('can be cancelled by its id during the grace', async () => {
    const { model } = held();
    const { url, origin, assistant } = await hubServer({ model, disconnectGraceMs: 60_000 });
    const client = await RawHubClient.connect(url);
    const connectionId = await idOf(client);
    client.call('SendMessage', '1', 'hello');
    await client.event('TextDelta');
    client.socket.terminate();
    await client.closed;
    const answer = await fetch(`${origin}/helper/cancel`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ connectionId }),
    });
    expect(await answer.json()).toEqual({ stopped: true });
    await expect.poll(() => assistant.runningTurns).toBe(0);
  });

  // proves wire-3-19
  it('answers null to Resume for an unknown turn', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const client = await RawHubClient.connect(url);
    client.call('Resume', '1', { turnId: 'unknown', afterSeq: 0 });
    expect(await client.result('1')).toBeNull();
  });
});

describe('a slow client (contract/events.md#slow-readers)', () => {
  /** A server that sends to its client until the server finds the client too slow. */
  async function flooded(timings: { readonly closeMs: number }) {
    const connected: HubConnection[] = [];
    const { url } = await protocolServer<undefined>({
      application: {
        methods: {},
        connected: (connection) => {
          connected.push(connection);
          return undefined;
        },
        disconnected: () => undefined,
      },
      limits: { maxBufferedBytes: 100_000, maxConnections: 1 },
      settingNames: { maxBufferedBytes: 'server.maxBufferedBytes' },
      timings,
    });
    const client = await RawHubClient.connect(url, { events: false });
    client.socket.pause();
    const [connection] = connected;
    // The operating systems of both ends buffer the first data. Only the data after that count as memory of the server.
    for (let sent = 0; connection?.open === true && sent < 1000; sent += 1) {
      connection.sendEvent('Flood', { text: 'x'.repeat(50_000) });
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { client, url };
  }

  // proves wire-2-35
  it('is closed with allowReconnect, told why, and gets what was sent before', async () => {
    const { client } = await flooded({ closeMs: 5000 });
    client.socket.resume();
    expect(await client.next(({ type }) => type === 7)).toEqual({
      type: 7,
      error: 'The client reads too slowly: more than 100000 bytes (server.maxBufferedBytes) are waiting.',
      allowReconnect: true,
    });
    expect((await client.closed).code).toBe(1000);
    expect(client.faults).toEqual([]);
  });

  // proves wire-2-36
  it('is cut when it does not read the Close either', async () => {
    const { client, url } = await flooded({ closeMs: 40 });
    // The place of the client is free only when its socket is closed.
    await expect.poll(() => statusOf(url, {})).toBe(101);
    client.socket.terminate();
  });
});

describe('who may connect (contract/addresses.md#answers)', () => {
  it.each([
    // proves wire-1-13
    ['no origin, as programs send it', {}, 101],
    // proves wire-1-12
    ['a listed origin', { origin: 'https://shop.example.com' }, 101],
    // proves wire-1-10
    ['a foreign origin', { origin: 'https://evil.example.com' }, 403],
    // proves wire-1-15
    ['a foreign host name, against DNS rebinding', { host: 'evil.example.com' }, 403],
  ])('upgrades %s accordingly', async (_title, headers, status) => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    expect(await statusOf(url, headers)).toBe(status);
  });

  // proves wire-1-10, wire-1-16
  it('refuses a negotiation of a foreign website with a problem that names the setting', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const response = await fetch(`${url}/negotiate`, {
      method: 'POST',
      headers: { origin: 'https://evil.example.com' },
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('cors') as string,
    });
  });

  it('answers a broken upgrade with a problem and the headers of every answer', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const { hostname, port, pathname } = new URL(url);
    const broken = request({
      hostname,
      port,
      path: pathname,
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    });
    const [response] = (await once(broken.end(), 'response')) as [IncomingMessage]; // what Node promises of this event
    expect(response.statusCode).toBe(400);
    expect(response.headers).toMatchObject({
      'content-type': expect.stringMatching(/^application\/problem\+json/) as string,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String) as string,
    });
    expect(JSON.parse((await response.toArray()).join(''))).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  // proves wire-3-29
  it('bounds the connections of one address', async () => {
    const connectionRoom = new CallerRoom({ perUser: 2, perAddress: 1 });
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) }, { connectionRoom });
    await RawHubClient.connect(url);
    expect(await statusOf(url, {})).toBe(429);
  });
});

async function idOf(client: RawHubClient): Promise<string> {
  client.call('GetConnectionId', 'id');
  return String(await client.result('id'));
}
