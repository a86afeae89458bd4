import { describe, expect, it } from 'vitest';
import { HttpHubClient } from '../support/hub-http-client.ts';
import { RawHubClient, UpgradeRefused } from '../support/hub-raw-client.ts';
import { scenarioServer } from '../support/hub-scenario-server.ts';

const handshake = '{"protocol":"json","version":1}\u001e';

function echo(id: string, value: string): string {
  return `${JSON.stringify({ type: 1, target: 'Echo', arguments: [value], invocationId: id })}\u001e`;
}

function upgradeStatus(address: string): Promise<number> {
  return RawHubClient.open(address).then(
    () => 101,
    (error: unknown) => (error instanceof UpgradeRefused ? error.status : 0),
  );
}

describe('a POST before the GET that opens its connection (contract/hub.md#connections)', () => {
  // proves wire-3-90
  it('is kept for a LongPolling connection and answered 200', async () => {
    const { url, connections } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    const posted = [
      await client.post(handshake.slice(0, 5)),
      await client.post(handshake.slice(5) + echo('1', 'early')),
    ];
    expect(posted.map(({ status }) => status)).toEqual([200, 200]);
    expect(await posted[0]?.text()).toBe('');
    expect(connections).toEqual([]);
    expect(await client.poll()).toEqual({ status: 200, text: '' });
    let heard = '';
    while (!heard.includes('early')) heard += (await client.poll()).text;
    expect(heard).toBe('{}\u001e{"type":3,"invocationId":"1","result":"early"}\u001e');
  });

  // proves wire-3-90
  it('is kept for an event stream', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    expect((await client.post(handshake)).status).toBe(200);
    const { next } = await client.stream();
    let heard = '';
    while (!heard.includes('{}')) heard += await next();
    expect(heard).toBe(':\r\ndata: {}\u001e\r\n\r\n');
  });

  // proves wire-3-90
  it('is no reason to keep more than the limit: 413, and of all clients together 503', async () => {
    const { url } = await scenarioServer({ limits: { maxEarlyBytes: 100, maxEarlyBytesInAll: 150 } });
    const [one, two] = [await HttpHubClient.negotiate(url), await HttpHubClient.negotiate(url)];
    expect((await one.post('x'.repeat(101))).status).toBe(413);
    expect((await one.post('x'.repeat(60))).status).toBe(200);
    expect((await one.post('x'.repeat(60))).status).toBe(413);
    expect((await two.post('x'.repeat(100))).status).toBe(503);
    expect((await two.post('x'.repeat(90))).status).toBe(200);
    await one.poll();
    const three = await HttpHubClient.negotiate(url);
    expect((await three.post('x'.repeat(60))).status).toBe(200);
  });

  // proves wire-3-90
  it('takes a place among the connections of its caller, which is that of its connection later', async () => {
    const { url } = await scenarioServer({ limits: { maxConnectionsPerKey: 2 } });
    const [one, two, three] = [
      await HttpHubClient.negotiate(url),
      await HttpHubClient.negotiate(url),
      await HttpHubClient.negotiate(url),
    ];
    expect((await one.post(handshake)).status).toBe(200);
    expect((await two.post(handshake)).status).toBe(200);
    expect((await three.post(handshake)).status).toBe(429);
    expect(await upgradeStatus(url)).toBe(429);
    expect((await one.poll()).status).toBe(200);
    expect((await two.poll()).status).toBe(200);
    expect(await upgradeStatus(url)).toBe(429);
    expect((await one.request('DELETE')).status).toBe(202);
    expect(await upgradeStatus(url)).toBe(101);
  });

  // proves wire-3-90
  it('is forgotten with its place when no GET comes', async () => {
    const { url } = await scenarioServer({ limits: { maxConnectionsPerKey: 1 }, timings: { tokenMs: 100 } });
    const client = await HttpHubClient.negotiate(url);
    expect((await client.post(handshake)).status).toBe(200);
    await expect.poll(() => upgradeStatus(url)).toBe(101);
    expect((await client.post(handshake)).status).toBe(404);
  });

  it('is answered 404 with a token that was spent or never issued, 400 without one', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.polling(url);
    await client.request('DELETE');
    expect((await client.post(handshake)).status).toBe(404);
    expect((await fetch(`${url}?id=anything`, { method: 'POST', body: handshake })).status).toBe(404);
    expect((await fetch(`${url}?id=`, { method: 'POST', body: handshake })).status).toBe(400);
  });
});
