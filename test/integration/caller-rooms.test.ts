import { describe, expect, it } from 'vitest';
import { collectedMemory } from '../support/collected-memory.ts';
import { type HubRecord, RawHubClient } from '../support/hub-raw-client.ts';
import { realServer } from '../support/real-server.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

type Headers = Readonly<Record<string, string>>;

const signIn = { HELPER__AUTH__JWT: `{ secret: "${tokenSecret}" }` };
const ann = { authorization: `Bearer ${await makeToken({ sub: 'ann' })}` };
const bob = { authorization: `Bearer ${await makeToken({ sub: 'bob' })}` };
const behindProxy = { HELPER__SERVER__TRUSTPROXY: 'true' };
const office = { 'x-forwarded-for': '192.0.2.1' };
const elsewhere = { 'x-forwarded-for': '192.0.2.2' };

/** A server whose model answers only after the test releases it. */
async function held(overrides: Readonly<Record<string, string>> = {}) {
  const gate = Promise.withResolvers<undefined>();
  const script = async ({ send, end }: { send: (text: string) => Promise<void>; end: () => void }): Promise<void> => {
    await gate.promise;
    await send('data: {"choices":[{"index":0,"delta":{"content":"OK"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    end();
  };
  const server = await scriptedServer({
    scripts: Array.from({ length: 40 }, () => script),
    overrides: { ...signIn, ...behindProxy, ...overrides },
  });
  const release = (): void => {
    gate.resolve(undefined);
  };
  return { ...server, release, hub: `${server.url}/helper-hub` };
}

/** Tries to connect to the hub. Resolves with a client, or with the status of the refusal. */
function attempt(url: string, headers: Headers): Promise<unknown> {
  return RawHubClient.open(url, headers).then(
    () => 101,
    (error: unknown) => (error as { readonly status?: unknown }).status,
  );
}

function ask(url: string, headers: Headers) {
  return openSse(`${url}/helper/chat?message=hello`, { headers });
}

describe('the connections of one caller (contract/limits.md#callers)', () => {
  // proves wire-3-29
  it('are, as shipped, enough for an office behind one address, and 20 for one user', async () => {
    const { url } = await realServer(signIn);
    const hub = `${url}/helper-hub`;
    const statuses = await Promise.all(Array.from({ length: 30 }, () => attempt(hub, {})));
    expect(statuses).toEqual(Array.from({ length: 30 }, () => 101));
    const own: unknown[] = [];
    for (let opened = 0; opened < 21; opened += 1) own.push(await attempt(hub, ann));
    expect(own).toEqual([...Array.from({ length: 20 }, () => 101), 429]);
  });

  it.each<[string, string, readonly [Headers, Headers], Headers]>([
    // proves wire-3-62
    ['of a user, wherever they come from', 'PERUSER', [ann, { ...ann, ...elsewhere }], bob],
    // proves wire-3-29
    ['of an address', 'PERADDRESS', [office, office], elsewhere],
    [
      'of an IPv6 network',
      'PERADDRESS',
      [{ 'x-forwarded-for': '2001:db8:1:2::1' }, { 'x-forwarded-for': '2001:db8:1:2:ffff::9' }],
      { 'x-forwarded-for': '2001:db8:1:3::1' },
    ],
  ])('are counted over the hub and server-sent events together: %s', async (_title, ...[limit, [one, two], other]) => {
    const { url, hub, release } = await held({ [`HELPER__SERVER__MAXCONNECTIONS${limit}`]: '2' });
    const first = await RawHubClient.connect(hub, { headers: one });
    const stream = await ask(url, two);
    expect(stream.status).toBe(200);
    expect(await attempt(hub, one)).toBe(429);
    expect((await fetch(`${hub}/negotiate`, { method: 'POST', headers: two })).status).toBe(429);
    const refused = await fetch(`${url}/helper/chat?message=hello`, { headers: one });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    expect(await attempt(hub, other)).toBe(101);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'helperagent_rate_limited_total{what="connection"} 3',
    );
    release();
    await stream.closed;
    await expect.poll(() => attempt(hub, one)).toBe(101);
    first.socket.terminate();
    await first.closed;
  });

  it('do not keep a stream from its running turn when its reader comes back', async () => {
    const { url, release } = await held({ HELPER__SERVER__MAXCONNECTIONSPERADDRESS: '1' });
    const stream = await ask(url, office);
    const turnId = String(stream.headers['x-turn-id']);
    const again = await openSse(`${url}/helper/chat?message=hello`, {
      headers: { ...office, 'last-event-id': `${turnId}:0` },
    });
    expect(again.status).toBe(200);
    release();
    expect((await again.next('end')).data).toMatchObject({ turnId, status: 'completed' });
  });
});

describe('the running turns of one caller (contract/limits.md#callers)', () => {
  async function send(hub: string, headers: Headers): Promise<RawHubClient> {
    const client = await RawHubClient.connect(hub, { headers });
    client.call('SendMessage', '1', 'hello');
    return client;
  }

  it.each<[string, string, Headers, Headers]>([
    // proves wire-8-08
    ['a user, whatever the connection and the channel', 'PERUSER', ann, bob],
    // proves wire-8-08
    ['an address, whatever the connection and the channel', 'PERADDRESS', office, elsewhere],
  ])('are bounded for %s; others go on', async (_title, ...[limit, caller, other]) => {
    const { url, hub, release, model } = await held({ [`HELPER__SERVER__MAXTURNS${limit}`]: '2' });
    const first = await send(hub, caller);
    await model.request(0);
    const second = await ask(url, caller);
    await model.request(1);
    const refused = await send(hub, caller);
    expect(await refused.result('1')).toMatchObject({ status: 'refused', code: 'overloaded', text: '' });
    expect(await refused.event('ErrorOccurred')).toMatchObject({
      code: 'overloaded',
      message: 'Too many messages are being answered at the moment. Please wait a little and try again.',
      retryable: true,
    });
    refused.say({ type: 4, target: 'StreamMessage', arguments: ['hello'], invocationId: '2' });
    const end = await refused.next(({ item }) => (item as HubRecord | undefined)?.['event'] === 'TurnCompleted');
    expect(end['item']).toMatchObject({ status: 'refused', code: 'overloaded' });
    const overSse = await fetch(`${url}/helper/chat?message=hello`, { headers: caller });
    expect([overSse.status, await overSse.json()]).toMatchObject([429, { code: 'rate_limited' }]);
    const another = await send(hub, other);
    await model.request(2);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('helperagent_rate_limited_total{what="turn"} 3');
    release();
    for (const client of [first, another]) expect(await client.result('1')).toMatchObject({ status: 'completed' });
    await second.closed;
    refused.call('SendMessage', '3', 'hello');
    expect(await refused.result('3')).toMatchObject({ status: 'completed' });
  });
});

describe('messages that wait for their turn', () => {
  const attachment = { name: 'cat.png', contentType: 'image/png', data: 'A'.repeat(250_000) };

  // proves wire-3-93
  it('hold nothing of the attachments that are dropped while images are off', async () => {
    const { hub } = await held();
    const clients = await Promise.all(Array.from({ length: 8 }, () => RawHubClient.connect(hub)));
    const before = collectedMemory();
    for (const client of clients) {
      for (let sent = 0; sent < 21; sent += 1) {
        client.call('SendMessage', String(sent), 'hello', { attachments: [attachment] });
      }
      // The server answers this call after it has read the messages before it.
      client.call('GetConnectionId', 'read');
      await client.result('read');
    }
    // 42 MB were sent.
    expect((collectedMemory() - before) / 1_000_000).toBeLessThan(8);
    const [client] = clients;
    client?.call('NewConversation', 'stop');
    const started = await client?.next(({ target }) => target === 'TurnStarted');
    expect(started?.['arguments']).toMatchObject([{ warnings: [{ code: 'image_type_dropped', name: 'cat.png' }] }]);
    const dropped = await client?.result('20');
    expect(dropped).toMatchObject({ status: 'stopped' });
  });

  // proves wire-3-93
  it('hold 4 MiB of one caller at most: more are refused as overloaded, those of others wait', async () => {
    const { hub } = await held();
    const [client, other] = [
      await RawHubClient.connect(hub, { headers: office }),
      await RawHubClient.connect(hub, { headers: elsewhere }),
    ];
    for (const each of [client, other]) each.call('SendMessage', 'running', 'hello');
    const before = collectedMemory();
    for (let sent = 0; sent < 20; sent += 1) client.call('SendMessage', String(sent), 'x'.repeat(250_000));
    // A character takes at most two bytes, so eight messages take 4 MB.
    for (let sent = 8; sent < 20; sent += 1) {
      expect(await client.result(String(sent))).toMatchObject({ status: 'refused', code: 'overloaded' });
    }
    expect((collectedMemory() - before) / 1_000_000).toBeLessThan(8);
    other.call('SendMessage', 'waiting', 'x'.repeat(250_000));
    client.call('NewConversation', 'stop');
    // The waiting messages are now handled.
    for (let sent = 0; sent < 8; sent += 1) {
      expect(await client.result(String(sent))).toMatchObject({ status: 'refused', code: 'message_too_long' });
    }
    // The whole room of the caller is free again.
    client.call('SendMessage', 'again', 'hello');
    for (let sent = 20; sent < 28; sent += 1) client.call('SendMessage', String(sent), 'x'.repeat(250_000));
    client.call('NewConversation', 'stop-again');
    expect(await client.result('27')).toMatchObject({ code: 'message_too_long' });
    other.call('NewConversation', 'stop');
    expect(await other.result('waiting')).toMatchObject({ code: 'message_too_long' });
  });
});
