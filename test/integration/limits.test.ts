import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeModel } from '../support/fake-model.ts';
import { RawHubClient, UpgradeRefused } from '../support/hub-raw-client.ts';
import { hubServer } from '../support/hub-server.ts';
import { realServer } from '../support/real-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const signIn = { HELPER__AUTH__JWT: `{ secret: "${tokenSecret}" }` };
const ann = { authorization: `Bearer ${await makeToken({ sub: 'ann' })}` };
const bob = { authorization: `Bearer ${await makeToken({ sub: 'bob' })}` };

describe('rateLimitPerUser (contract/limits.md#messages)', () => {
  async function limited() {
    const clock = { now: Date.now() };
    const model = fakeModel({ text: 'Hi.' });
    const options = { model, rateLimitPerUser: 2, maxMessageLength: 10, now: () => clock.now };
    const { url, metrics } = await hubServer(options);
    const client = await RawHubClient.connect(url);
    let calls = 0;
    async function send(text: string) {
      calls += 1;
      client.call('SendMessage', String(calls), text);
      return client.result(String(calls));
    }
    return { clock, model, metrics, client, send, url };
  }

  // proves service-2.7-03, wire-21-21
  it('refuses the message over the limit as rate_limited, in the user’s language, without the model', async () => {
    const { send, client, model, metrics } = await limited();
    await send('one');
    await send('two');
    expect(await send('three')).toMatchObject({ status: 'refused', code: 'rate_limited', text: '' });
    expect(await client.event('ErrorOccurred')).toMatchObject({
      code: 'rate_limited',
      message: 'You have sent many messages in a short time. Please try again in 60 seconds.',
      retryable: true,
      retryAfter: 60,
    });
    expect(model.requests).toHaveLength(2);
    expect(metrics.counted.filter(({ what }) => what === 'rateLimited')).toEqual([
      { what: 'rateLimited', value: 'message' },
    ]);
  });

  // proves service-2.7-04, wire-2-51
  it('takes messages again when the window that began with the first message is over', async () => {
    const { send, clock } = await limited();
    await send('one');
    clock.now += 59_000;
    await send('two');
    expect(await send('three')).toMatchObject({ code: 'rate_limited' });
    clock.now += 1000;
    expect(await send('four')).toMatchObject({ status: 'completed' });
  });

  // proves wire-2-50, wire-2-52
  it('checks the length first, and does not count what it refuses', async () => {
    const { send } = await limited();
    for (const _time of [1, 2, 3]) {
      expect(await send('much too long')).toMatchObject({ code: 'message_too_long' });
      expect(await send(' ')).toMatchObject({ code: 'invalid_request' });
    }
    expect(await send('one')).toMatchObject({ status: 'completed' });
    expect(await send('two')).toMatchObject({ status: 'completed' });
    expect(await send('much too long')).toMatchObject({ code: 'message_too_long' });
    expect(await send('three')).toMatchObject({ code: 'rate_limited' });
  });

  // proves wire-4-51
  it('is a refused turn over server-sent events: failure, then end (contract/sse.md#faults)', async () => {
    const { url } = await realServer({ ...signIn, HELPER__RATELIMITPERUSER: '1' });
    const ask = () => openSse(`${url}/helper/chat?message=hello`, { headers: ann });
    await (
      await ask()
    ).closed;
    const stream = await ask();
    await stream.closed;
    expect(stream.status).toBe(200);
    const events = stream.frames.filter(({ event }) => event !== undefined);
    expect(events.map(({ event, data }) => [event, data?.['code']])).toEqual([
      ['failure', 'rate_limited'],
      ['end', 'rate_limited'],
    ]);
  });

  // proves service-8-11
  it('counts each anonymous connection by itself (contract/limits.md#messages)', async () => {
    const { send, url } = await limited();
    await send('one');
    await send('two');
    const other = await RawHubClient.connect(url);
    other.call('SendMessage', '1', 'hello');
    expect(await other.result('1')).toMatchObject({ status: 'completed' });
  });
});

describe('who counts as one user for rateLimitPerUser (contract/limits.md#messages)', () => {
  /** How a message over server-sent events ended: its code, or its status when there is none. */
  async function overSse(url: string, headers: Record<string, string> = {}): Promise<unknown> {
    const stream = await openSse(`${url}/helper/chat?message=hello`, { headers });
    const { data } = await stream.next('end');
    return data?.['code'] ?? data?.['status'];
  }

  // proves service-8-12
  it('a signed-in user, whatever the channel and the connection', async () => {
    const { url } = await realServer({ ...signIn, HELPER__RATELIMITPERUSER: '2' });
    expect(await overSse(url, ann)).toBe('completed');
    const first = await RawHubClient.connect(`${url}/helper-hub`, { headers: ann });
    first.call('SendMessage', '1', 'hello');
    expect(await first.result('1')).toMatchObject({ status: 'completed' });
    const second = await RawHubClient.connect(`${url}/helper-hub`, { headers: ann });
    second.call('SendMessage', '1', 'hello');
    expect(await second.result('1')).toMatchObject({ status: 'refused', code: 'rate_limited' });
    expect(await overSse(url, ann)).toBe('rate_limited');
    expect(await overSse(url, bob)).toBe('completed');
    expect(await overSse(url)).toBe('completed');
  });

  // proves service-8-13
  it.each([
    ['PerSession: each request of server-sent events', 'PerSession', 'completed'],
    ['Shared: all anonymous callers, on every channel', 'Shared', 'rate_limited'],
  ])('anonymousIdentity %s (contract/identity.md#users)', async (_title, anonymousIdentity, expected) => {
    const identity = { HELPER__ANONYMOUSIDENTITY: anonymousIdentity, HELPER__RATELIMITPERUSER: '1' };
    const { url } = await realServer({ ...signIn, ...identity });
    expect(await overSse(url)).toBe('completed');
    expect(await overSse(url)).toBe(expected);
    const hub = await RawHubClient.connect(`${url}/helper-hub`);
    hub.call('SendMessage', '1', 'hello');
    const result = await hub.result('1');
    expect(result).toMatchObject(expected === 'completed' ? { status: expected } : { code: expected });
    expect(await overSse(url, ann)).toBe('completed');
  });
});

describe('server.maxConnectionsPerAddress (contract/limits.md#callers)', () => {
  // proves wire-3-29
  it('counts the connections of one IPv6 network as those of one address', async () => {
    const { url } = await realServer({
      HELPER__SERVER__TRUSTPROXY: 'true',
      HELPER__SERVER__MAXCONNECTIONSPERADDRESS: '1',
    });
    const open = (address: string): Promise<unknown> =>
      RawHubClient.open(`${url}/helper-hub`, { 'x-forwarded-for': address }).catch((error: unknown) => error);
    expect(await open('2001:db8:1:2::1')).toBeInstanceOf(RawHubClient);
    expect(await open('2001:db8:1:2::2')).toMatchObject({ status: 429 });
    expect(await open('2001:db8:1:3::1')).toBeInstanceOf(RawHubClient);
  });
});

describe('endpoints.transports.rateLimit (contract/limits.md#callers)', () => {
  const limit = { HELPER__ENDPOINTS__TRANSPORTS__RATELIMIT: '{ max: 2, window: 1m }' };
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

  async function useUp(url: string, init: RequestInit = {}) {
    for (const path of ['/helper-hub/negotiate?negotiateVersion=1', '/helper-hub/negotiate?negotiateVersion=1']) {
      expect((await fetch(url + path, { ...init, method: 'POST' })).status).toBe(200);
    }
  }

  it.each([
    // proves wire-4-50
    ['GET of chat', '/helper/chat?message=hi', {}],
    // proves wire-4-50
    ['POST of chat, before its body is looked at', '/helper/chat', { method: 'POST', body: '{' }],
    ['negotiation', '/helper-hub/negotiate?negotiateVersion=1', { method: 'POST' }],
    ['negotiation that names a connection', '/helper-hub/negotiate?id=any', { method: 'POST' }],
    ['GET of the hub', '/helper-hub', {}],
  ])('%s answers 429 with Retry-After', async (_title, path, init) => {
    const { url } = await realServer(limit);
    await useUp(url);
    const response = await fetch(url + path, init);
    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await response.json()).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('helperagent_rate_limited_total{what="request"} 1');
  });

  it('refuses the upgrade of a WebSocket', async () => {
    const { url } = await realServer(limit);
    await useUp(url);
    const opened: unknown = await RawHubClient.open(`${url}/helper-hub`).catch((error: unknown) => error);
    expect(opened).toBeInstanceOf(UpgradeRefused);
    expect(opened).toMatchObject({ status: 429 });
  });

  it('counts no polls, sends and goodbyes of a connection that was let in', async () => {
    const { url } = await realServer(limit);
    const negotiated = await fetch(`${url}/helper-hub/negotiate?negotiateVersion=1`, { method: 'POST' });
    const { connectionToken } = (await negotiated.json()) as { readonly connectionToken: string };
    const address = `${url}/helper-hub?id=${connectionToken}`;
    expect((await fetch(address)).status).toBe(200);
    for (let sent = 0; sent < 4; sent += 1) {
      const body = sent === 0 ? '{"protocol":"json","version":1}\u001e' : '{"type":6}\u001e';
      expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
    }
    expect((await fetch(address)).status).toBe(200);
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(202);
  });

  it('counts by address, and behind a proxy that is trusted by the address it names', async () => {
    const { url } = await realServer({ ...limit, HELPER__SERVER__TRUSTPROXY: 'true' });
    const negotiate = `${url}/helper-hub/negotiate`;
    await useUp(url, from('192.0.2.1'));
    expect((await fetch(negotiate, { method: 'POST', ...from('192.0.2.1') })).status).toBe(429);
    expect((await fetch(negotiate, { method: 'POST', ...from('192.0.2.2') })).status).toBe(200);
    // The entries before the proxy's own entry come from the client and must not be trusted.
    expect((await fetch(negotiate, { method: 'POST', ...from('192.0.2.3, 192.0.2.1') })).status).toBe(429);
  });

  it('counts a signed-in user, and not the address many of them may share', async () => {
    const { url } = await realServer({ ...limit, ...signIn });
    const negotiate = `${url}/helper-hub/negotiate`;
    await useUp(url, { headers: ann });
    expect((await fetch(negotiate, { method: 'POST', headers: ann })).status).toBe(429);
    expect((await fetch(negotiate, { method: 'POST', headers: bob })).status).toBe(200);
    expect((await fetch(negotiate, { method: 'POST' })).status).toBe(200);
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const { url } = await realServer({ ...limit, HELPER__SERVER__TRUSTPROXY: 'true' });
    const negotiate = `${url}/helper-hub/negotiate`;
    await useUp(url, from('2001:db8:1:2::1'));
    expect((await fetch(negotiate, { method: 'POST', ...from('2001:db8:1:2:aaaa::9') })).status).toBe(429);
    expect((await fetch(negotiate, { method: 'POST', ...from('2001:db8:1:3::1') })).status).toBe(200);
    await useUp(url, from('192.0.2.7'));
    expect((await fetch(negotiate, { method: 'POST', ...from('::ffff:192.0.2.7') })).status).toBe(429);
  });

  it('does not believe that header otherwise', async () => {
    const { url } = await realServer(limit);
    await useUp(url, from('192.0.2.1'));
    const negotiate = `${url}/helper-hub/negotiate`;
    expect((await fetch(negotiate, { method: 'POST', ...from('192.0.2.2') })).status).toBe(429);
  });

  it('leaves answers and Stop alone', async () => {
    const { url } = await realServer(limit);
    await useUp(url);
    const body = JSON.stringify({ connectionId: 'nobody' });
    const stop = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    expect((await fetch(`${url}/helper/cancel`, stop)).status).toBe(404);
  });
});

describe('the window of endpoints.transports.rateLimit (contract/limits.md#callers)', () => {
  it('is not ended and not made longer by setting the clock of the machine', async () => {
    const { url } = await realServer({ HELPER__ENDPOINTS__TRANSPORTS__RATELIMIT: '{ max: 1, window: 1h }' });
    const status = async (): Promise<number> => {
      const response = await fetch(`${url}/helper/chat?message=hello`);
      await response.body?.cancel();
      return response.status;
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await status()).toBe(200);
    vi.setSystemTime(Date.now() + 2 * 60 * 60 * 1000);
    expect(await status()).toBe(429);
  });
});
