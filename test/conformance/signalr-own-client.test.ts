import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { fallbackTransports } from '../../src/widget/transport/signalr/fallback-transports.ts';
import { HubClient } from '../../src/widget/transport/signalr/hub-client.ts';
import type { HubClientOptions } from '../../src/widget/transport/signalr/hub-options.ts';
import { HttpRefusal } from '../../src/widget/transport/signalr/hub-requests.ts';
import { cuttingProxy } from '../support/cutting-proxy.ts';
import { credentialOf, fakeAuthenticator as authenticate } from '../support/hub-fake-authenticator.ts';
import { lintedWire, testToken } from '../support/hub-own-client.ts';
import { scenarioServer } from '../support/hub-scenario-server.ts';
import { rawHub } from '../support/raw-hub.ts';

interface TestClient {
  readonly client: HubClient;
  /** What the client has reported about its connection. */
  readonly told: string[];
}

/** The widget's client, which is stopped at the end of the test. Without `reconnectDelay` it does not reconnect. */
function ownClient(url: string, options: Partial<HubClientOptions> = {}): TestClient {
  const told: string[] = [];
  const client = new HubClient({
    url,
    token: testToken(),
    reconnectDelay: () => null,
    loadFallback: () => Promise.resolve(fallbackTransports),
    listener: {
      onInterrupted: () => told.push('interrupted'),
      onRestored: () => told.push('restored'),
      onReconnecting: () => told.push('reconnecting'),
      onReconnected: () => told.push('reconnected'),
      onClosed: (reason) => told.push(`closed: ${reason instanceof Error ? reason.message : String(reason)}`),
    },
    ...options,
  });
  onTestFinished(() => client.stop());
  return { client, told };
}

/** Makes requests for event streams fail, as a proxy might. */
function withoutEventStreams(): void {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (address: URL, request: RequestInit) =>
    new Headers(request.headers).get('accept') === 'text/event-stream'
      ? Promise.resolve(new Response('', { status: 502 }))
      : fetch(address, request),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
}

const hour = 3_600_000;

describe('the widget’s client: transports (contract/hub.md#protocol)', () => {
  it('takes WebSockets first', async () => {
    const { url, connections } = await scenarioServer();
    const { client } = ownClient(url);
    await client.connect();
    await expect.poll(() => connections.map(({ transport }) => transport.name)).toEqual(['WebSockets']);
  });

  it('falls back to server-sent events, and then to polling', async () => {
    const { url, connections } = await scenarioServer({ mayUpgrade: () => false });
    const { client } = ownClient(url);
    await client.connect();
    expect(await client.invoke('Echo', [1])).toBe(1);
    withoutEventStreams();
    const other = ownClient(url);
    await other.client.connect();
    expect(await other.client.invoke('Echo', [2])).toBe(2);
    expect(connections.map(({ transport }) => transport.name)).toEqual(['ServerSentEvents', 'LongPolling']);
  });

  it('says with which status the server said no', async () => {
    const { url } = await scenarioServer({ authenticate });
    const refused = ownClient(url, { token: testToken(() => 'invalid') });
    await expect(refused.client.connect()).rejects.toMatchObject({ status: 401 });
    await expect(ownClient(`${url}/nowhere`).client.connect()).rejects.toBeInstanceOf(HttpRefusal);
  });

  it('keeps what stands in the hub’s address', async () => {
    const { url } = await scenarioServer();
    const { client } = ownClient(`${url}?tenant=a%26b`);
    const asked: string[] = [];
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (address: URL, request: RequestInit) => {
      asked.push(address.href);
      return fetch(address, request);
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    await client.connect();
    expect(asked[0]).toContain('/hub/negotiate?tenant=a%26b&negotiateVersion=1');
  });

  it.each(['ServerSentEvents', 'LongPolling'] as const)(
    'over %s shows a fresh token when the old one has ended',
    async (transport) => {
      const { url } = await scenarioServer({ authenticate });
      const token = { latest: '', read: async () => (token.latest = credentialOf('ada', hour)) };
      const { client, told } = ownClient(url, { token, transports: [transport] });
      await client.connect();
      token.latest = 'invalid';
      expect(await client.invoke('Echo', ['still here'])).toBe('still here');
      expect(told).toEqual([]);
    },
  );
});

describe('the widget’s client: ends (contract/hub.md#protocol)', () => {
  it.each(['WebSockets', 'ServerSentEvents', 'LongPolling'] as const)(
    'over %s says goodbye when it is stopped',
    async (transport) => {
      const { url, endings } = await scenarioServer();
      const { client, told } = ownClient(url, { transports: [transport] });
      await client.connect();
      await client.stop();
      await client.stop();
      await expect.poll(() => endings).toEqual(['graceful']);
      expect(told).toEqual(['closed: null']);
    },
  );

  it('leaves a server that is silent without a goodbye, so that its turn lives on', async () => {
    const { url, endings } = await scenarioServer({ timings: { keepAliveMs: hour } });
    const { client, told } = ownClient(url, { timings: { serverTimeoutMs: 100 } });
    await client.connect();
    await expect.poll(() => endings).toEqual(['dropped']);
    expect(told).toEqual(['closed: the server is silent']);
  });

  it('rejects the calls that wait, and those that come too late', async () => {
    const { url } = await scenarioServer();
    const proxy = await cuttingProxy(url);
    const { client } = ownClient(`${proxy.url}/hub`);
    await client.connect();
    const waiting = client.stream('Wait', [], {});
    const ended = expect(waiting).rejects.toThrow('lost');
    proxy.cut();
    await ended;
    await expect(client.invoke('Echo', [1])).rejects.toThrow('not connected');
  });

  it('gives up a call when its caller does', async () => {
    const { url } = await scenarioServer();
    const cancelled = Promise.withResolvers<undefined>();
    const { client } = ownClient(url);
    client.on('Cancelled', () => {
      cancelled.resolve(undefined);
    });
    await client.connect();
    const abort = new AbortController();
    const items: unknown[] = [];
    const stream = client.stream('Wait', [], {
      signal: abort.signal,
      onItem: (item) => {
        items.push(item);
        abort.abort(new Error('enough'));
      },
    });
    await expect(stream).rejects.toThrow('enough');
    await cancelled.promise;
    await expect(client.invoke('Echo', [1], { signal: abort.signal })).rejects.toThrow('enough');
    expect(items).toEqual(['waiting']);
  });

  it('tells the server that a handler’s value cannot be sent', async () => {
    const { url, connections } = await scenarioServer();
    const { client } = ownClient(url);
    client.on('Asked', () => 1n);
    await client.connect();
    const asked = connections[0]?.invokeClient('Asked', {}, { timeoutMs: 10_000 });
    await expect(asked).rejects.toThrow('BigInt');
  });
});

describe('the widget’s client: coming back (contract/hub.md#protocol)', () => {
  it('pauses longer each time, and tries at once when it is woken', async () => {
    const { url } = await scenarioServer();
    const proxy = await cuttingProxy(url);
    const asked: number[] = [];
    const reconnectDelay = (previousAttempts: number): number => {
      asked.push(previousAttempts);
      return previousAttempts < 3 ? 0 : hour;
    };
    const { client, told } = ownClient(`${proxy.url}/hub`, { reconnectDelay });
    await client.connect();
    proxy.isDown = true;
    proxy.cut();
    await expect.poll(() => asked).toEqual([0, 1, 2, 3]);
    expect(client.isReconnecting).toBe(true);
    proxy.isDown = false;
    // `connect` tries again at once and does not wait for the long pause to end.
    await client.connect();
    expect(await client.invoke('Echo', ['back'])).toBe('back');
    expect(told).toEqual(['reconnecting', 'reconnected']);
  });

  it('is stopped in mid-pause, and can begin again', async () => {
    const { url } = await scenarioServer();
    const proxy = await cuttingProxy(url);
    const { client, told } = ownClient(`${proxy.url}/hub`, { reconnectDelay: () => hour });
    await client.connect();
    proxy.cut();
    await expect.poll(() => told).toEqual(['reconnecting']);
    const waiting = expect(client.connect()).resolves.toBeUndefined();
    await waiting;
    proxy.cut();
    await expect.poll(() => told.at(-1)).toBe('reconnecting');
    await client.stop();
    expect(client.isReconnecting).toBe(false);
    await client.connect();
    expect(await client.invoke('Echo', ['anew'])).toBe('anew');
    expect(told).toEqual(['reconnecting', 'reconnected', 'reconnecting', 'closed: null']);
  });

  it('is given up when the server no longer knows the user', async () => {
    let credential = credentialOf('ada', hour);
    const { url, connections } = await scenarioServer({ authenticate });
    const { client, told } = ownClient(url, {
      token: testToken(() => credential),
      reconnectDelay: (_attempts, reason) => (reason instanceof HttpRefusal && reason.status === 401 ? null : 0),
    });
    await client.connect();
    credential = 'invalid';
    connections[0]?.close({ allowReconnect: true });
    await expect.poll(() => told).toEqual(['reconnecting', 'closed: status 401']);
  });

  it('bridges a broken line without a word of a new connection, and says when it was away', async () => {
    const wire = lintedWire();
    const { url, connections } = await scenarioServer({ timings: { reconnectMs: 10_000 } });
    const proxy = await cuttingProxy(url);
    const { client, told } = ownClient(`${proxy.url}/hub`, { reconnectDelay: () => 0 });
    await client.connect();
    proxy.cut();
    await expect.poll(() => told).toEqual(['interrupted', 'restored']);
    expect(await client.invoke('Echo', [1])).toBe(1);
    expect([connections.length, wire.faults()]).toEqual([1, []]);
  });

  it('lets a broken line be for a while when nobody waits, and bridges it as soon as somebody does', async () => {
    const { url, connections } = await scenarioServer({ timings: { reconnectMs: 60_000 } });
    const proxy = await cuttingProxy(url);
    const { client, told } = ownClient(`${proxy.url}/hub`, {
      reconnectDelay: (attempts) => (attempts < 0 ? hour : null),
    });
    await client.connect();
    proxy.cut();
    await expect.poll(() => told).toEqual(['interrupted']);
    await client.connect();
    expect(await client.invoke('Echo', [1])).toBe(1);
    expect([told, connections.length]).toEqual([['interrupted', 'restored'], 1]);
  });

  it('comes back to its connection over a fresh token, and for another user as another connection', async () => {
    let credential = credentialOf('ada', hour);
    const { url, connections } = await scenarioServer({ authenticate, timings: { reconnectMs: 10_000 } });
    const proxy = await cuttingProxy(url);
    const { client, told } = ownClient(`${proxy.url}/hub`, {
      token: testToken(() => credential),
      reconnectDelay: () => 0,
    });
    await client.connect();
    credential = credentialOf('ada', hour + 1);
    proxy.cut();
    await expect.poll(() => told).toEqual(['interrupted', 'restored']);
    credential = credentialOf('eve', hour);
    proxy.cut();
    await expect.poll(() => told.slice(2)).toEqual(['interrupted', 'reconnecting', 'reconnected']);
    expect(connections).toHaveLength(2);
  });

  it('reads more than the server may send without a word that it came', async () => {
    const { url } = await scenarioServer({
      timings: { reconnectMs: 10_000 },
      limits: { maxUnacknowledgedBytes: 40_000, maxMessageBytes: 300_000 },
    });
    const { client } = ownClient(url);
    let heard = 0;
    client.on('Announced', () => (heard += 1));
    await client.connect();
    const text = 'x'.repeat(10_000);
    // The messages have far more characters than may be unacknowledged. A client that waits a second for each acknowledgement never ends.
    for (let count = 0; count < 400; count += 1) await client.invoke('Announce', [text]);
    expect(heard).toBe(400);
  });
});

describe('the widget’s client: servers that do what they should not (contract/hub.md#protocol)', () => {
  const shaken = '{}\u001e';

  it.each([
    ['a record that is no JSON', '{\u001e'],
    ['a result without its call', '{"type":3,"result":1}\u001e'],
    ['a binary frame', Buffer.from('{"type":6}\u001e')],
  ])('ends the connection at %s', async (_title, frame) => {
    const { url } = await rawHub((socket) => {
      socket.send(shaken);
      socket.send(frame);
    });
    const { client, told } = ownClient(url);
    await client.connect().catch(() => undefined);
    await expect.poll(() => client.isConnected).toBe(false);
    expect(told.filter((notice) => !notice.startsWith('closed: '))).toEqual([]);
  });

  it.each([
    ['no handshake', '{"type":6}\u001e', 'no handshake'],
    ['a handshake that says no', '{"error":"not you"}\u001e', 'not you'],
    ['nothing at all', '', 'took too long'],
  ])('does not begin with %s', async (_title, answer, words) => {
    const { url } = await rawHub((socket) => {
      if (answer !== '') socket.send(answer);
    });
    const { client } = ownClient(url, { timings: { handshakeMs: 200 }, transports: ['WebSockets'] });
    await expect(client.connect()).rejects.toThrow(words);
    expect(client.isConnected).toBe(false);
  });

  it.each([
    ['an error', { error: 'not today' }, 'not today'],
    ['another address', { url: 'https://elsewhere.example', accessToken: 'x' }, 'no agreement'],
    ['nothing', {}, 'no agreement'],
    [
      'no transport that is known',
      { connectionId: 'a', connectionToken: 'b', availableTransports: [null, {}] },
      'no transport',
    ],
  ])('does not begin when the negotiation brings %s', async (_title, answer, words) => {
    const { url } = await rawHub(() => undefined, answer);
    await expect(ownClient(url).client.connect()).rejects.toThrow(words);
  });

  it('does not hammer one that closes each connection as it begins', async () => {
    const sockets: WebSocket[] = [];
    const { url } = await rawHub((socket) => {
      sockets.push(socket);
      socket.send(shaken);
    });
    const asked: number[] = [];
    const { client } = ownClient(url, {
      reconnectDelay: (previousAttempts) => {
        asked.push(previousAttempts);
        return previousAttempts < 4 ? 0 : hour;
      },
    });
    await client.connect();
    // Each connection is open only for a moment, so the pauses must still grow.
    for (let count = 1; count <= 5; count += 1) {
      await expect.poll(() => client.isConnected && sockets.length).toBe(count);
      sockets.at(-1)?.send('{"type":7,"allowReconnect":true}\u001e');
    }
    await expect.poll(() => asked).toEqual([0, 1, 2, 3, 4]);
  });
});
