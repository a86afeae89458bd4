import cors from '@fastify/cors';
import { describe, expect, it } from 'vitest';
import { fakeModel } from '../support/fake-model.ts';
import type { HubControl } from '../../src/channels/hub/protocol/hub-options.ts';
import { HttpHubClient } from '../support/hub-http-client.ts';
import { RawHubClient, UpgradeRefused } from '../support/hub-raw-client.ts';
import { scenarioServer } from '../support/hub-scenario-server.ts';
import { hubServer } from '../support/hub-server.ts';

const handshake = '{"protocol":"json","version":1}\u001e';
const accepted = '{}\u001e';

function echo(id: string, value: unknown): string {
  return `${JSON.stringify({ type: 1, target: 'Echo', arguments: [value], invocationId: id })}\u001e`;
}

function upgradeStatus(address: string): Promise<number> {
  return RawHubClient.open(address).then(
    () => 101,
    (error: unknown) => (error instanceof UpgradeRefused ? error.status : 0),
  );
}

describe('LongPolling (contract/hub.md#connections)', () => {
  // proves wire-3-41
  it('answers the first poll empty and at once, and later ones with all that was queued', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    expect(await client.poll()).toEqual({ status: 200, text: '' });
    const posted = await client.post(handshake + echo('1', 'a') + echo('2', 'b'));
    expect([posted.status, await posted.text(), posted.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/plain; charset=utf-8',
    ]);
    const response = await client.request('GET');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-store');
    expect(await response.text()).toBe(
      `${accepted}{"type":3,"invocationId":"1","result":"a"}\u001e{"type":3,"invocationId":"2","result":"b"}\u001e`,
    );
  });

  // proves wire-3-42
  it('puts messages together that come in several requests', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.polling(url);
    const message = echo('1', 'joined');
    for (const part of [message.slice(0, 7), message.slice(7, 20), message.slice(20)]) await client.post(part);
    expect((await client.poll()).text).toBe('{"type":3,"invocationId":"1","result":"joined"}\u001e');
  });

  it('holds a poll until there is news, and answers it empty when there is none for long', async () => {
    const { url } = await scenarioServer({ timings: { pollMs: 60 } });
    const client = await HttpHubClient.polling(url);
    expect(await client.poll()).toEqual({ status: 200, text: '' });
    const poll = client.poll();
    await client.post(echo('1', 'news'));
    expect((await poll).text).toContain('news');
  });

  it('ends a waiting poll with 204 when another takes its place', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.polling(url);
    const first = client.poll();
    const second = client.poll();
    expect((await first).status).toBe(204);
    await client.post(echo('1', 'news'));
    expect((await second).text).toContain('news');
  });

  // proves wire-3-43
  it('ends by DELETE with 202, which is graceful, and is unknown then', async () => {
    const { url, endings } = await scenarioServer();
    const client = await HttpHubClient.polling(url);
    const waiting = client.poll();
    expect((await client.request('DELETE')).status).toBe(202);
    expect((await waiting).status).toBe(204);
    expect(endings).toEqual(['graceful']);
    for (const method of ['GET', 'POST', 'DELETE']) expect((await client.request(method)).status).toBe(404);
  });

  it('delivers Close with what came before it, then says 204', async () => {
    const { url, connections } = await scenarioServer();
    const client = await HttpHubClient.polling(url);
    await expect.poll(() => connections).toHaveLength(1);
    connections[0]?.sendEvent('Last', {});
    connections[0]?.close({ error: 'over' });
    expect((await client.poll()).text).toBe(
      '{"type":1,"target":"Last","arguments":[{}]}\u001e{"type":7,"error":"over"}\u001e',
    );
    expect((await client.poll()).status).toBe(204);
    expect((await client.poll()).status).toBe(404);
  });

  it('is dropped when its client stays away', async () => {
    const { url, endings } = await scenarioServer({ timings: { abandonedMs: 40 } });
    const client = await HttpHubClient.polling(url);
    await expect.poll(() => endings).toEqual(['dropped']);
    expect((await client.post(echo('1', 1))).status).toBe(404);
  });

  it('is dropped when its client gives a poll up and does not come back', async () => {
    const { url, endings } = await scenarioServer({ timings: { abandonedMs: 40 } });
    const client = await HttpHubClient.polling(url);
    const abort = new AbortController();
    const poll = client.request('GET', { signal: abort.signal }).catch(() => 'aborted');
    abort.abort();
    expect(await poll).toBe('aborted');
    await expect.poll(() => endings).toEqual(['dropped']);
  });

  it('closes a client that lets too much gather between its polls', async () => {
    const { url, connections, endings } = await scenarioServer({ limits: { maxBufferedBytes: 1000 } });
    const client = await HttpHubClient.polling(url);
    await expect.poll(() => connections).toHaveLength(1);
    for (let number = 0; number < 200 && endings.length === 0; number += 1) {
      connections[0]?.sendEvent('Raised', { text: 'x'.repeat(100) });
      await Promise.resolve();
    }
    expect(endings).toEqual(['dropped']);
    const { text } = await client.poll();
    expect(text.length).toBeLessThan(3000);
    expect(text).toContain('"allowReconnect":true');
  });

  it('never pings', async () => {
    const { url } = await scenarioServer({ timings: { keepAliveMs: 10, pollMs: 80 } });
    const client = await HttpHubClient.polling(url);
    expect(await client.poll()).toEqual({ status: 200, text: '' });
  });
});

describe('ServerSentEvents (contract/hub.md#connections)', () => {
  // proves wire-3-41
  it('opens at once, and carries each message as data', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    const { response, next } = await client.stream();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-store',
      'content-encoding': 'identity',
      'x-accel-buffering': 'no',
    });
    expect(await next()).toBe(':\r\n');
    await client.post(handshake);
    expect(await next()).toBe(`data: ${accepted}\r\n\r\n`);
    await client.post(echo('1', 'line\nbreak'));
    expect(await next()).toBe('data: {"type":3,"invocationId":"1","result":"line\\nbreak"}\u001e\r\n\r\n');
  });

  it('is dropped when the stream is closed', async () => {
    const { url, endings } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    const { leave } = await client.stream();
    await client.post(handshake);
    leave();
    await expect.poll(() => endings).toEqual(['dropped']);
    expect((await client.post(echo('1', 1))).status).toBe(404);
  });

  it('takes a Close message for graceful, and ends the stream', async () => {
    const { url, endings } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    const { next } = await client.stream();
    await client.post(`${handshake}{"type":7}\u001e`);
    let text = '';
    for (let read = await next(); read !== ''; read = await next()) text += read;
    expect(text).toBe(`:\r\ndata: ${accepted}\r\n\r\n`);
    expect(endings).toEqual(['graceful']);
  });

  it('ends a stream that never shakes hands', async () => {
    const { url } = await scenarioServer({ timings: { handshakeMs: 40 } });
    const client = await HttpHubClient.negotiate(url);
    const { next } = await client.stream();
    expect([await next(), await next()]).toEqual([':\r\n', 'data: {"error":"Handshake was canceled."}\u001e\r\n\r\n']);
  });
});

describe('requests that do not fit their connection (contract/hub.md#connections)', () => {
  it('answers 409 to a second stream, and 400 to every other transport', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    await client.stream();
    const events = { headers: { accept: 'text/event-stream' } };
    expect((await client.request('GET', events)).status).toBe(409);
    expect((await client.request('GET')).status).toBe(400);
    expect(await upgradeStatus(client.address)).toBe(400);
    expect((await client.request('DELETE')).status).toBe(400);
  });

  it('answers 400 to a stream or an upgrade for a connection that polls', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.polling(url);
    expect((await client.request('GET', { headers: { accept: 'text/event-stream' } })).status).toBe(400);
    expect(await upgradeStatus(client.address)).toBe(400);
  });

  it('answers 400 to polls and streams, and 405 to POST, for a connection over WebSockets', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    await RawHubClient.connect(client.address, { events: false });
    expect((await client.request('GET')).status).toBe(400);
    expect((await client.request('GET', { headers: { accept: 'text/event-stream' } })).status).toBe(400);
    expect((await client.post('x')).status).toBe(405);
    expect((await client.request('DELETE')).status).toBe(400);
    expect(await upgradeStatus(client.address)).toBe(409);
  });

  it('answers 404 to a goodbye before the connection is open', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    expect((await client.request('DELETE')).status).toBe(404);
  });

  it('answers 413 to a body over the limit, and keeps the connection', async () => {
    const { url } = await scenarioServer({ limits: { maxMessageBytes: 1000 } });
    const client = await HttpHubClient.polling(url);
    expect((await client.post('x'.repeat(70_000))).status).toBe(413);
    await client.post(echo('1', 'here'));
    expect((await client.poll()).text).toContain('here');
  });

  it('counts these connections like all others', async () => {
    const { url } = await scenarioServer({ limits: { maxConnectionsPerKey: 1 } });
    const client = await HttpHubClient.negotiate(url);
    const other = await HttpHubClient.negotiate(url);
    await client.poll();
    expect((await other.poll()).status).toBe(429);
    await client.request('DELETE');
    const next = await HttpHubClient.negotiate(url);
    expect((await next.poll()).status).toBe(200);
  });

  it.each(['text/event-stream', '*/*'])(
    'keeps no place for a client that leaves before it is let in (Accept: %s)',
    async (accept) => {
      const left = Promise.withResolvers<undefined>();
      const asked = Promise.withResolvers<undefined>();
      const { url } = await scenarioServer({
        limits: { maxConnections: 1 },
        timings: { abandonedMs: 40 },
        authenticate: async (request) => {
          if (request.method !== 'GET' || request.headers['x-slow'] === undefined) return { key: '' };
          asked.resolve(undefined);
          await new Promise((resolve) => request.raw.socket.once('close', resolve));
          left.resolve(undefined);
          return { key: '' };
        },
      });
      const client = await HttpHubClient.negotiate(url);
      const other = await HttpHubClient.negotiate(url);
      const abort = new AbortController();
      const request = client.request('GET', { headers: { accept, 'x-slow': '1' }, signal: abort.signal });
      const aborted = request.catch(() => 'aborted');
      await asked.promise;
      abort.abort();
      expect(await aborted).toBe('aborted');
      await left.promise;
      await expect.poll(() => upgradeStatus(other.address.replace(/\?.*/, ''))).toBe(101);
    },
  );

  it('says goodbye to them when the server closes', async () => {
    let control: HubControl | undefined;
    const { url, endings } = await scenarioServer({ control: (given) => (control = given) });
    const polling = await HttpHubClient.polling(url);
    const streaming = await HttpHubClient.negotiate(url);
    const { next } = await streaming.stream();
    await streaming.post(handshake);
    expect([await next(), await next()]).toHaveLength(2);
    const closed = control?.closeAll();
    expect((await polling.poll()).text).toBe('{"type":7,"allowReconnect":true}\u001e');
    expect(await next()).toBe('data: {"type":7,"allowReconnect":true}\u001e\r\n\r\n');
    expect((await polling.poll()).status).toBe(204);
    await closed;
    expect(endings).toEqual(['dropped', 'dropped']);
  });
});

describe('in a page of another origin (contract/doors.md)', () => {
  it('lets the page read the stream and the polls, and keeps the security headers', async () => {
    const origin = 'https://shop.example.com';
    const { url } = await hubServer(
      { model: fakeModel({ text: 'x' }) },
      {},
      (app) => void app.register(cors, { origin, credentials: true }),
    );
    for (const accept of ['text/event-stream', '*/*']) {
      const client = await HttpHubClient.negotiate(url, { origin });
      const response = await client.request('GET', { headers: { accept } });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'x-content-type-options': 'nosniff',
      });
      await response.body?.cancel();
    }
  });

  it('refuses a foreign page on every request', async () => {
    const { url } = await hubServer({ model: fakeModel({ text: 'x' }) });
    const client = await HttpHubClient.negotiate(url);
    const headers = { origin: 'https://evil.example.com' };
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect((await client.request(method, { headers })).status).toBe(403);
    }
  });
});
