import { describe, expect, it, onTestFinished } from 'vitest';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { openRawSocket, type RawSocket, requestText } from '../support/raw-socket.ts';
import { realServer } from '../support/real-server.ts';
import { chunk, ending, type ModelScript } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { serverProcess } from '../support/shipped-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const mebibyte = 1024 * 1024;
const json = { 'content-type': 'application/json' };

/** A reply that begins and ends only with the test. */
function held(): ModelScript {
  const gate = Promise.withResolvers<undefined>();
  onTestFinished(() => {
    gate.resolve(undefined);
  });
  return async (exchange) => {
    await exchange.send(chunk({ role: 'assistant', content: 'Wait.' }));
    await gate.promise;
    await exchange.send(ending());
    exchange.end();
  };
}

/** A server two of whose streams stay open, and that takes two requests of one address at once. */
async function busyServer(settings: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const server = await scriptedServer({
    scripts: [held(), held()],
    settings: {
      ...settings,
      server: {
        maxRequestsPerAddress: 2,
        disconnectGrace: 0,
        ...('server' in settings ? (settings.server as object) : {}),
      },
    }, // an object by its name
  });
  const streams = [];
  for (const message of ['a', 'b'])
    streams.push(await openSse(`${server.url}/helper/chat`, { body: { message }, headers }));
  return { ...server, streams };
}

async function problem(response: Response): Promise<{ status: number; code: unknown; retryAfter: string | null }> {
  const body: unknown = await response.json();
  const { code } = body as { code?: unknown }; // a problem document, or undefined is found
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') };
}

const session = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/helper/session?connectionId=x`, init);

describe('server.maxRequestsPerAddress (contract/limits.md#callers)', () => {
  const refused = { status: 429, code: 'rate_limited', retryAfter: '1' };

  // proves wire-8-81
  it('refuses one request more with 429 and Retry-After, until one of the others has ended', async () => {
    const { url, streams } = await busyServer();
    expect(await problem(await session(url))).toEqual(refused);
    streams[0]?.close();
    await expect.poll(async () => (await session(url)).status).toBe(404);
  });

  it('refuses a signed-in user too: the limit is that of the address', async () => {
    const { url } = await busyServer({ auth: { jwt: { secret: tokenSecret } } });
    const headers = { authorization: `Bearer ${await makeToken({ sub: 'ann' })}` };
    expect(await problem(await session(url, { headers }))).toEqual(refused);
    expect((await session(url, { headers: { authorization: 'Bearer x' } })).status).toBe(401);
  });

  // proves wire-8-81
  it('answers probes all the same', async () => {
    const { url } = await busyServer();
    for (const path of ['/healthz', '/readyz', '/metrics']) expect((await fetch(url + path)).status).toBe(200);
  });

  it('counts no open connection of the hub', async () => {
    const { url } = await scriptedServer({ scripts: [], settings: { server: { maxRequestsPerAddress: 1 } } });
    await RawHubClient.connect(`${url}/helper-hub`);
    await RawHubClient.connect(`${url}/helper-hub`);
    expect((await session(url)).status).toBe(404);
  });

  it.each([
    // proves wire-8-81
    ['with trustProxy counts visitors: another one is let in', true, '203.0.113.1', '203.0.113.9', 404],
    ['with trustProxy counts what the proxy has added alone', true, '203.0.113.1', '203.0.113.9, 203.0.113.1', 429],
    // proves wire-8-81
    ['with trustProxy counts a /64 of IPv6 as one', true, '2001:db8::1', '2001:db8::7', 429],
    ['with trustProxy counts another /64 by itself', true, '2001:db8::1', '2001:db8:0:1::1', 404],
    // proves wire-8-81
    ['without trustProxy counts the proxy, whatever it sends', false, '203.0.113.1', '203.0.113.9', 429],
  ])('%s', async (...[, trustProxy, first, second, status]) => {
    const { url } = await busyServer({ server: { trustProxy } }, { 'x-forwarded-for': first });
    expect((await session(url, { headers: { 'x-forwarded-for': second } })).status).toBe(status);
  });

  // proves wire-8-81
  it('says in the log once that a proxy is not trusted, when a request with X-Forwarded-For hits it', async () => {
    const server = await serverProcess({ HELPER__SERVER__MAXREQUESTSPERADDRESS: '1' });
    const stream = await openSse(`${server.url}/helper/chat`, { body: { message: 'Cancel order 1002' } });
    await stream.next('confirmation');
    expect((await session(server.url)).status).toBe(429);
    for (const forwarded of ['203.0.113.1', '203.0.113.2']) {
      expect((await session(server.url, { headers: { 'x-forwarded-for': forwarded } })).status).toBe(429);
    }
    stream.close();
    await server.end('SIGTERM');
    const lines = server.printed().split('\n');
    expect(lines.filter((line) => line.includes('server.trustProxy is off'))).toHaveLength(1);
  });

  it('is told of by helperagent_rate_limited_total', async () => {
    const { url } = await busyServer();
    await session(url);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/helperagent_rate_limited_total\{what="request"\} 1/);
  });
});

/** A connection of the hub, and the address of its session. */
async function connected(url: string): Promise<string> {
  const client = await RawHubClient.connect(`${url}/helper-hub`);
  client.call('GetConnectionId', 'id');
  return `/helper/session?connectionId=${String(await client.result('id'))}`;
}

/** An upload that announces this number of bytes and sends all except the last byte. */
async function stalledUpload(
  url: string,
  path: string,
  options: { bytes: number; headers?: Record<string, string> },
): Promise<RawSocket> {
  const client = await openRawSocket(url);
  const headers = { ...json, ...options.headers, 'content-length': String(options.bytes) };
  client.send(requestText(`POST ${path}`, headers));
  client.send('x'.repeat(options.bytes - 1));
  return client;
}

describe('uploads (contract/sessions.md#snapshots)', () => {
  // proves wire-8-82
  it('of one caller are refused with 429 beyond 32 MiB, and taken again when others have ended', async () => {
    const { url } = await realServer();
    const paths = [await connected(url), await connected(url), await connected(url)];
    const bytes = 12 * mebibyte;
    const [first, second] = [
      await stalledUpload(url, paths[0] ?? '', { bytes }),
      await stalledUpload(url, paths[1] ?? '', { bytes }),
    ];
    const third = await stalledUpload(url, paths[2] ?? '', { bytes });
    await third.answered(1);
    expect(third.statuses()).toEqual([429]);
    expect(third.read()).toMatch(/"code":"rate_limited"/);
    expect(third.read()).toMatch(/retry-after: 1/i);
    // A small request still has room beside the large ones.
    expect(
      (await fetch(`${url}/helper/cancel`, { method: 'POST', headers: json, body: '{"turnId":"x"}' })).status,
    ).toBe(404);
    first.socket.destroy();
    const again = async (): Promise<number> => {
      const response = await fetch(url + (paths[2] ?? ''), {
        method: 'POST',
        headers: json,
        body: `"${'x'.repeat(bytes - 2)}"`,
      });
      await response.text();
      return response.status;
    };
    // The status 400 shows that the server has read the body, and that it is no snapshot.
    await expect.poll(again).toBe(400);
    second.socket.destroy();
  });

  // proves wire-8-82
  it('of all callers together are refused with 503 beyond 128 MiB', async () => {
    const { url } = await scriptedServer({ scripts: [], settings: { server: { trustProxy: true } } });
    const bytes = 12 * mebibyte;
    const uploads: RawSocket[] = [];
    for (let index = 1; index <= 11; index += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${String(index)}` };
      uploads.push(await stalledUpload(url, await connected(url), { bytes, headers }));
    }
    const last = uploads.at(-1);
    await last?.answered(1);
    expect(last?.statuses()).toEqual([503]);
    expect(last?.read()).toMatch(/"code":"overloaded"/);
    expect(uploads.slice(0, -1).map((upload) => upload.statuses())).toEqual(Array.from({ length: 10 }, () => []));
  });

  it('to no address of this server are answered before they are read', async () => {
    const { url } = await realServer();
    const client = await stalledUpload(url, '/nothing', { bytes: 1000 });
    await client.answered(1);
    expect(client.statuses()).toEqual([404]);
  });

  // proves wire-8-82
  it('of 60 at once by one client leave a real process small', async () => {
    const { url, residentMebibytes, printed, end } = await serverProcess({ HELPER__SERVER__REQUESTTIMEOUT: '5m' });
    const before = residentMebibytes();
    const path = await connected(url);
    const uploads = await Promise.all(
      Array.from({ length: 60 }, () => stalledUpload(url, path, { bytes: 12 * mebibyte })),
    );
    await expect.poll(() => uploads.filter((upload) => upload.statuses()[0] === 429)).toHaveLength(58);
    expect(residentMebibytes() - before).toBeLessThan(250);
    for (const upload of uploads) upload.socket.destroy();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await end('SIGTERM');
    // A client that gives up is no fault of the server.
    expect(printed()).not.toMatch(/a request failed/);
  });
});

describe('POST /helper/session of one connection (contract/sessions.md#snapshots)', () => {
  // proves wire-5-90
  it('is read once the one before it has ended, and then answered like any other', async () => {
    const { url } = await realServer();
    const path = await connected(url);
    const first = await stalledUpload(url, path, { bytes: 1000 });
    const second = await openRawSocket(url);
    second.send(requestText(`POST ${path}`, {}, '{"snapshot":"hs1.x"}'));
    const other = await openRawSocket(url);
    other.send(requestText(`POST ${await connected(url)}`, {}, '{"snapshot":"hs1.x"}'));
    await other.answered(1);
    expect([first.statuses(), second.statuses(), other.statuses()]).toEqual([[], [], [400]]);
    first.send('x');
    await second.answered(1);
    expect([first.statuses(), second.statuses()]).toEqual([[400], [400]]);
    expect(first.read()).toMatch(/invalid_request/);
    expect(second.read()).toMatch(/snapshot_refused/);
  });

  // proves wire-5-90
  it('is not held up by one whose client has left, nor by one that left while it waited', async () => {
    const { url } = await realServer();
    const path = await connected(url);
    const first = await stalledUpload(url, path, { bytes: 1000 });
    const second = await stalledUpload(url, path, { bytes: 1000 });
    const third = await openRawSocket(url);
    third.send(requestText(`POST ${path}`, {}, '{"snapshot":"hs1.x"}'));
    second.socket.destroy();
    first.socket.destroy();
    await third.answered(1);
    expect(third.statuses()).toEqual([400]);
  });

  // proves wire-5-90
  it('is refused before it waits where the connection is not known', async () => {
    const { url } = await realServer();
    await stalledUpload(url, await connected(url), { bytes: 1000 });
    const response = await fetch(`${url}/helper/session?connectionId=x`, { method: 'POST', headers: json, body: '{}' });
    expect(response.status).toBe(404);
  });
});

describe('open sockets (contract/limits.md#callers, `server.maxConnections`)', () => {
  // proves wire-8-82
  it('are bounded by twice the connections and 1,024; the next are dropped', async () => {
    const { url } = await scriptedServer({ scripts: [], settings: { server: { maxConnections: 1 } } });
    const sockets: RawSocket[] = [];
    for (let index = 0; index < 1026; index += 1) sockets.push(await openRawSocket(url));
    const dropped = await openRawSocket(url);
    await dropped.closed;
    expect(dropped.read()).toBe('');
    sockets[0]?.socket.destroy();
    await expect
      .poll(() =>
        fetch(`${url}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });
});

describe('server.host: localhost (contract/doors.md#host-names)', () => {
  it('listens on both of its addresses, with the same bounds', async () => {
    const { url } = await scriptedServer({
      scripts: [],
      settings: { server: { host: 'localhost', requestTimeout: '300ms' } },
    });
    const { port } = new URL(url);
    for (const host of ['127.0.0.1', '[::1]']) {
      const address = `http://${host}:${port}`;
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      await RawHubClient.connect(`${address}/helper-hub`);
      const stalled = await openRawSocket(address);
      await stalled.closed;
      expect(stalled.statuses()).toEqual([408]);
      const upgraded = await openRawSocket(address);
      upgraded.send(requestText('POST /helper-hub?id=x', { connection: 'Upgrade', upgrade: 'websocket' }));
      await upgraded.closed;
      expect(upgraded.statuses()).toEqual([404]);
    }
  });
});
