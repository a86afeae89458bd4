import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ConnectionTokens } from '../../src/channels/hub/protocol/connection-token.ts';
import type { HubApplication, HubMethod } from '../../src/channels/hub/protocol/hub-application.ts';
import { scenarioServer } from '../support/hub-scenario-server.ts';
import { protocolServer } from '../support/hub-server.ts';
import { RawHubClient, UpgradeRefused, type HubRecord } from '../support/hub-raw-client.ts';

const handshake = '{"protocol":"json","version":1}\u001e';
const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

function method(invoke: (...given: readonly unknown[]) => unknown): HubMethod<undefined> {
  return { kind: 'invocation', parameters: 1, concurrent: false, invoke: (_state, call) => invoke(...call.arguments) };
}

/** A hub that knows nothing of assistants; `endings` tells how its connections ended. */
function application(): HubApplication<undefined> & { readonly endings: string[]; readonly ids: string[] } {
  const endings: string[] = [];
  const ids: string[] = [];
  return {
    endings,
    ids,
    methods: {
      Echo: method((value) => value),
      Repeat: {
        kind: 'stream',
        parameters: 1,
        open: (_state, call, items) =>
          new Promise((resolve) => {
            items.send(call.arguments[0]);
            call.signal.addEventListener('abort', () => {
              resolve();
            });
          }),
      },
    },
    connected: (connection) => {
      ids.push(connection.id);
      return undefined;
    },
    disconnected: (_state, ending) => endings.push(ending),
  };
}

async function negotiate(url: string, query = '?negotiateVersion=1'): Promise<HubRecord> {
  const response = await fetch(`${url}/negotiate${query}`, { method: 'POST' });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const answer: unknown = await response.json();
  return Object.fromEntries(Object.entries(answer ?? {}));
}

async function refusal(url: string, headers?: Record<string, string>): Promise<{ status: number; body: string }> {
  const refused: unknown = await RawHubClient.open(url, headers).catch((error: unknown) => error);
  if (!(refused instanceof UpgradeRefused)) throw new Error('the upgrade was not refused', { cause: refused });
  return { status: refused.status, body: refused.body };
}

describe('negotiate (contract/hub.md#protocol)', () => {
  // proves wire-3-02, wire-3-28
  it('announces the id the connection will have, under a token that opens it once', async () => {
    const app = application();
    const { url } = await protocolServer({ application: app });
    const { connectionId, connectionToken, ...rest } = await negotiate(url);
    expect(rest).toEqual({
      negotiateVersion: 1,
      availableTransports: [
        { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
        { transport: 'ServerSentEvents', transferFormats: ['Text'] },
        { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
      ],
    });
    const client = await RawHubClient.connect(`${url}?id=${String(connectionToken)}`, { events: false });
    client.call('Echo', '1', 'hi');
    expect(await client.result('1')).toBe('hi');
    expect(app.ids).toEqual([connectionId]);
    expect(await refusal(`${url}?id=${String(connectionToken)}`)).toMatchObject({ status: 409 });
    client.socket.close();
    await client.closed;
    await expect
      .poll(() => refusal(`${url}?id=${String(connectionToken)}`))
      .toEqual({ status: 404, body: 'No Connection with that ID' });
  });

  // proves wire-3-02
  it('speaks version 0, where the id is also the token', async () => {
    const app = application();
    const { url } = await protocolServer({ application: app });
    const { connectionId, connectionToken } = await negotiate(url, '');
    expect(connectionToken).toBeUndefined();
    await RawHubClient.connect(`${url}?id=${String(connectionId)}`, { events: false });
    expect(app.ids).toEqual([connectionId]);
  });

  it('answers later versions as 1, and reads the query in any case', async () => {
    const { url } = await protocolServer({ application: application() });
    expect(await negotiate(url, '?NegotiateVersion=99')).toMatchObject({ negotiateVersion: 1 });
    expect(await negotiate(url, '?negotiateVersion=two')).toEqual({
      error: 'The client requested a non-integer protocol version.',
    });
  });

  // proves wire-1-06
  it('takes any small body and answers 405 to anything but POST', async () => {
    const { url } = await protocolServer({ application: application() });
    const post = (body: string, type: string): Promise<Response> =>
      fetch(`${url}/negotiate`, { method: 'POST', body, headers: { 'content-type': type } });
    expect((await post('', 'text/plain;charset=UTF-8')).status).toBe(200);
    expect((await post('{}', 'application/json')).status).toBe(200);
    expect((await post('x'.repeat(5000), 'text/plain')).status).toBe(413);
    for (const verb of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${url}/negotiate`, { method: verb });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });
});

describe('refused upgrades and other requests (contract/hub.md#protocol)', () => {
  // proves wire-1-04, wire-3-27
  it('answers 404 to tokens that are forged or too old', async () => {
    const key = Buffer.alloc(32, 7);
    const { url } = await protocolServer({ application: application(), tokenKeys: () => [key] });
    const longAgo = new ConnectionTokens({ keys: () => [key], lifetimeMs: 30_000, now: () => Date.now() - 31_000 });
    const forger = new ConnectionTokens({ keys: () => [Buffer.alloc(32, 8)], lifetimeMs: 30_000, now: Date.now });
    for (const token of [longAgo.issue(1, '').connectionToken, forger.issue(1, '').connectionToken, 'anything']) {
      expect(await refusal(`${url}?id=${token}`)).toEqual({ status: 404, body: 'No Connection with that ID' });
    }
  });

  // proves wire-3-91
  it.each([['?id='], ['?ID=&other=1']])('take an empty id for none: %s', async (query) => {
    const { url } = await protocolServer({ application: application() });
    const client = await RawHubClient.connect(url + query, { events: false });
    client.call('Echo', '1', 'hi');
    expect(await client.result('1')).toBe('hi');
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await fetch(url + query, { method });
      expect([answer.status, await answer.text()]).toEqual([400, 'Connection ID required']);
    }
  });

  it('answers 503 when the server is full and 429 when one caller has too many, negotiate included', async () => {
    const full = await protocolServer({ application: application(), limits: { maxConnections: 1 } });
    await RawHubClient.connect(full.url, { events: false });
    expect(await refusal(full.url)).toMatchObject({ status: 503 });
    expect((await fetch(`${full.url}/negotiate`, { method: 'POST' })).status).toBe(503);
    const busy = await protocolServer({ application: application(), limits: { maxConnectionsPerKey: 1 } });
    const client = await RawHubClient.connect(busy.url, { events: false });
    expect(await refusal(busy.url)).toMatchObject({ status: 429 });
    client.socket.terminate();
    await client.closed;
    await expect
      .poll(() =>
        RawHubClient.open(busy.url).then(
          () => 'open',
          () => 'refused',
        ),
      )
      .toBe('open');
  });

  it.each([
    ['GET', '', 400, 'Connection ID required'],
    ['GET', '?id=unknown', 404, 'No Connection with that ID'],
    ['POST', '', 400, 'Connection ID required'],
    ['POST', '?id=unknown', 404, 'No Connection with that ID'],
    ['DELETE', '', 400, 'Connection ID required'],
  ])('answers %s %s without a connection of that id with %i', async (verb, ...[query, status, text]) => {
    const { url } = await protocolServer({ application: application() });
    const response = await fetch(url + query, { method: verb });
    expect([response.status, await response.text()]).toEqual([status, text]);
  });

  it('answers 405 to a POST for a connection that uses WebSockets', async () => {
    const { url } = await protocolServer({ application: application() });
    const { connectionToken } = await negotiate(url);
    await RawHubClient.connect(`${url}?id=${String(connectionToken)}`, { events: false });
    expect((await fetch(`${url}?id=${String(connectionToken)}`, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  it.each([
    ['without a key', ''],
    ['with a key that is none', 'Sec-WebSocket-Key: short\r\n'],
    ['with two keys', `${key}${key}`],
    ['of another version', `${key}Sec-WebSocket-Version: 12\r\n`],
    ['with subprotocols that are none', `${key}Sec-WebSocket-Protocol: a,,b\r\n`],
    ['with a subprotocol named twice', `${key}Sec-WebSocket-Protocol: a, a\r\n`],
  ])('answers an upgrade %s like any bad request, and spends no token on it', async (_title, headers) => {
    const { url } = await protocolServer({ application: application() });
    const { connectionToken } = await negotiate(url);
    const path = `/hub?id=${String(connectionToken)}`;
    const version = headers.includes('Version') ? '' : 'Sec-WebSocket-Version: 13\r\n';
    const answer = await rawRequest(url, path, `Connection: Upgrade\r\nUpgrade: websocket\r\n${version}${headers}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('content-type: application/json');
    expect(answer.toLowerCase()).toContain('sec-websocket-version: 13');
    await RawHubClient.connect(`${url}?id=${String(connectionToken)}`, { events: false });
  });

  it('leaves HTTP for WebSockets on its own path only, so that nothing else stays open', async () => {
    const { app, url } = await protocolServer({ application: application() });
    expect(await refusal(url.replace('/hub', '/other'))).toMatchObject({ status: 404 });
    const offered = await rawRequest(url, '/hub', 'Upgrade: h2c\r\nConnection: Upgrade\r\n');
    expect(offered).toMatch(/^HTTP\/1.1 400 /);
    expect(app.server.listenerCount('upgrade')).toBe(1);
  });
});

describe('handshake (contract/hub.md#protocol)', () => {
  // proves wire-3-03
  it('accepts a handshake split over frames, and messages joined to it', async () => {
    const { url } = await protocolServer({ application: application() });
    const client = await RawHubClient.open(url);
    for (const character of handshake.slice(0, 5)) client.socket.send(character);
    client.socket.send(`${handshake.slice(5)}{"type":1,"target":"Echo","arguments":["joi`);
    client.socket.send('ned"],"invocationId":"1"}\u001e');
    expect(await client.result('1')).toBe('joined');
    expect(client.frames[0]).toEqual([{}]);
  });

  it('accepts binary frames of JSON, which some clients send', async () => {
    const { url } = await protocolServer({ application: application() });
    const client = await RawHubClient.open(url);
    client.socket.send(Buffer.from(handshake));
    expect(await client.next(() => true)).toEqual({});
  });

  it.each([
    // proves wire-3-40
    ['another protocol', '{"protocol":"smoke","version":1}', "The protocol 'smoke' is not supported."],
    [
      'another version',
      '{"protocol":"json","version":7}',
      "The server does not support version 7 of the 'json' protocol.",
    ],
    ['no JSON', 'hello', 'An unexpected error occurred during connection handshake.'],
    ['a message', '{"type":6}', 'An unexpected error occurred during connection handshake.'],
  ])('refuses %s, says why and closes', async (_title, text, error) => {
    const app = application();
    const { url } = await protocolServer({ application: app });
    const client = await RawHubClient.open(url);
    client.socket.send(`${text}\u001e${handshake}`);
    expect(await client.next(() => true)).toEqual({ error });
    expect((await client.closed).code).toBe(1000);
    expect(client.records).toHaveLength(1);
    expect([app.ids, app.endings]).toEqual([[], []]);
  });

  it('ends a connection that never shakes hands', async () => {
    const { url } = await protocolServer({ application: application(), timings: { handshakeMs: 40 } });
    const client = await RawHubClient.open(url);
    expect(await client.next(() => true)).toEqual({ error: 'Handshake was canceled.' });
    await client.closed;
  });
});

describe('frames (contract/hub.md#protocol)', () => {
  // proves wire-3-03
  it('takes several messages of one frame in order, and answers them', async () => {
    const { url } = await protocolServer({ application: application() });
    const client = await RawHubClient.connect(url, { events: false });
    const calls = ['1', '2', '3'].map(
      (id) => `${JSON.stringify({ type: 1, target: 'Echo', arguments: [id], invocationId: id })}\u001e`,
    );
    client.socket.send(calls.join(''));
    expect(await client.result('3')).toBe('3');
    expect(client.records.slice(1).map(({ result }) => result)).toEqual(['1', '2', '3']);
  });

  // proves wire-3-97
  it('takes a message in fragments of some size, and ends a connection that sends crumbs', async () => {
    const limits = { maxMessageBytes: 100_000 };
    const { url } = await protocolServer({ application: application(), limits });
    const client = await RawHubClient.connect(url, { events: false });
    const call = { type: 1, target: 'Echo', arguments: ['x'.repeat(90_000)], invocationId: '1' };
    const text = `${JSON.stringify(call)}\u001e`;
    const parts = text.match(/.{1,256}/gsu) ?? [];
    for (const [index, part] of parts.entries()) client.socket.send(part, { fin: index === parts.length - 1 });
    expect(await client.result('1')).toHaveLength(90_000);
    for (let part = 0; part < 1_000; part += 1) client.socket.send('x', { fin: false });
    expect((await client.closed).code).toBe(1008);
  });

  it('ignores types and properties it does not know', async () => {
    const { url } = await protocolServer({ application: application() });
    const client = await RawHubClient.connect(url, { events: false });
    for (const type of [2, 3, 8, 9, 42]) client.say({ type, invocationId: 'x', sequenceId: 1 });
    client.say({ type: 1, target: 'Echo', arguments: [1], invocationId: '1', future: true });
    expect(await client.result('1')).toBe(1);
  });

  // proves wire-3-04
  it('streams, cancels and completes', async () => {
    const { url } = await protocolServer({ application: application() });
    const client = await RawHubClient.connect(url, { events: false });
    client.say({ type: 4, target: 'Repeat', arguments: ['again'], invocationId: '5' });
    expect(await client.next(({ type }) => type === 2)).toEqual({ type: 2, invocationId: '5', item: 'again' });
    client.say({ type: 5, invocationId: '5' });
    expect(await client.next(({ type }) => type === 3)).toEqual({ type: 3, invocationId: '5' });
  });

  it.each([
    ['in one frame', 1],
    ['in many', 40],
  ])('closes over a message beyond the limit %s, naming limit and option', async (_title, parts) => {
    const app = application();
    const limits = { maxMessageBytes: 100_000 };
    const settingNames = { maxMessageBytes: 'maxMessageLength' };
    const { url } = await protocolServer({ application: app, limits, settingNames });
    const client = await RawHubClient.connect(url, { events: false });
    const text = JSON.stringify({ type: 1, target: 'Echo', arguments: ['x'.repeat(400_000)], invocationId: '1' });
    for (let part = 0; part < parts; part += 1) {
      client.socket.send(text.slice((part * text.length) / parts, ((part + 1) * text.length) / parts));
    }
    expect(await client.next(({ type }) => type === 7)).toEqual({
      type: 7,
      error: 'Connection closed with an error. A message is larger than the limit of 100000 bytes (maxMessageLength).',
    });
    await client.closed;
    expect(app.endings).toEqual(['dropped']);
  });

  it('closes over a broken message, and only that connection', async () => {
    const { url } = await protocolServer({ application: application() });
    const [client, other] = await Promise.all([
      RawHubClient.connect(url, { events: false }),
      RawHubClient.connect(url, { events: false }),
    ]);
    client.socket.send('{"type":1\u001e');
    expect(await client.next(({ type }) => type === 7)).toEqual({
      type: 7,
      error: 'Connection closed with an error. A message is not valid JSON.',
    });
    await client.closed;
    other.call('Echo', '1', 'still here');
    expect(await other.result('1')).toBe('still here');
  });
});

describe('keep-alive and ends (contract/hub.md#protocol)', () => {
  it('starts no call that still waited when its connection ended', async () => {
    const { url, notes, endings } = await scenarioServer();
    const client = await RawHubClient.connect(url, { events: false });
    client.call('Ask', '1', 'well?');
    client.call('Note', '2', 'waited');
    await client.event('Asked');
    client.socket.terminate();
    await expect.poll(() => endings).toEqual(['dropped']);
    expect(notes).toEqual([]);
  });

  // proves wire-3-24
  it('pings a silent connection', async () => {
    const { url } = await protocolServer({ application: application(), timings: { keepAliveMs: 30 } });
    const client = await RawHubClient.connect(url, { events: false });
    expect(await client.next(({ type }) => type === 6)).toEqual({ type: 6 });
  });

  it('lets a client that pinged and fell silent come back', async () => {
    const app = application();
    const { url } = await protocolServer({ application: app, timings: { clientTimeoutMs: 60 } });
    const client = await RawHubClient.connect(url, { events: false });
    client.say({ type: 6 });
    expect(await client.next(({ type }) => type === 7)).toMatchObject({ allowReconnect: true });
    await client.closed;
    expect(app.endings).toEqual(['dropped']);
  });

  it.each([
    // proves wire-3-31
    ['a Close message', 'graceful', (client: RawHubClient): void => client.say({ type: 7 })],
    // proves wire-3-31
    ['WebSocket code 1000', 'graceful', (client: RawHubClient): void => client.socket.close(1000)],
    // proves wire-3-31, wire-3-34
    ['WebSocket code 1001', 'dropped', (client: RawHubClient): void => client.socket.close(1001)],
    // proves wire-3-31
    ['no WebSocket code', 'graceful', (client: RawHubClient): void => client.socket.close()],
    // proves wire-3-33
    ['WebSocket code 3000', 'dropped', (client: RawHubClient): void => client.socket.close(3000)],
    // proves wire-3-33
    ['a cut line', 'dropped', (client: RawHubClient): void => client.socket.terminate()],
  ])('takes %s for %s', async (_title, ...[ending, leave]) => {
    const app = application();
    const { url } = await protocolServer({ application: app });
    const client = await RawHubClient.connect(url, { events: false });
    leave(client);
    await expect.poll(() => app.endings).toEqual([ending]);
  });

  it('answers a close without a code with 1000', async () => {
    const { url } = await protocolServer({ application: application() });
    const client = await RawHubClient.connect(url, { events: false });
    client.socket.close();
    expect((await client.closed).code).toBe(1000);
  });

  it('knows the end before the client lets go of its socket', async () => {
    const app = application();
    const { url } = await protocolServer({ application: app });
    const client = await RawHubClient.connect(url, { events: false });
    client.socket.pause();
    client.socket.close(1000);
    await expect.poll(() => app.endings).toEqual(['graceful']);
    expect(client.socket.readyState).toBe(client.socket.CLOSING);
    client.socket.resume();
    await client.closed;
  });

  it('cuts a client that does not let go after a Close', async () => {
    const limits = { maxConnections: 1 };
    const { url } = await protocolServer({ application: application(), limits, timings: { closeMs: 40 } });
    const client = await RawHubClient.connect(url, { events: false });
    client.socket.pause();
    client.socket.send('nonsense\u001e');
    // Its place is free only when its socket is gone, and a paused client does not end it.
    await expect
      .poll(() =>
        RawHubClient.open(url).then(
          () => 'open',
          () => 'refused',
        ),
      )
      .toBe('open');
    client.socket.terminate();
  });

  // proves wire-3-05, wire-10-10
  it('sends Close with allowReconnect when the server closes', async () => {
    const app = application();
    const { url, app: server } = await protocolServer({ application: app });
    const client = await RawHubClient.connect(url, { events: false });
    await server.close();
    expect(await client.next(({ type }) => type === 7)).toEqual({ type: 7, allowReconnect: true });
    expect((await client.closed).code).toBe(1000);
    expect(app.endings).toEqual(['dropped']);
  });
});

/** One HTTP request as written, and the head of what comes back before the server hangs up or goes on. */
function rawRequest(url: string, path: string, headers: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${headers}\r\n`);
    });
    socket.once('data', (data) => {
      resolve(data.toString());
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
