import { connect } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { HubCaller } from '../../src/channels/hub/protocol/hub-callers.ts';
import { credentialOf, fakeAuthenticator as authenticate } from '../support/hub-fake-authenticator.ts';
import { HttpHubClient } from '../support/hub-http-client.ts';
import { RawHubClient, UpgradeRefused } from '../support/hub-raw-client.ts';
import { hubRoutes, scenarioClient } from '../support/hub-scenario-client.ts';
import { scenarioServer } from '../support/hub-scenario-server.ts';
import { recordingLogger } from '../support/quiet.ts';

const routes = hubRoutes.map(
  (route) => [`client ${String(route.release)} over ${route.transport} with ${route.protocol}`, route] as const,
);

function bearer(credential: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${credential}` };
}

function upgradeStatus(address: string, credential?: string): Promise<number> {
  return RawHubClient.open(address, credential === undefined ? {} : bearer(credential)).then(
    () => 101,
    (error: unknown) => (error instanceof UpgradeRefused ? error.status : 0),
  );
}

describe.each(routes)('%s: a caller with a credential (contract/identity.md#tokens)', (_title, route) => {
  it('is served, and its credential is never logged', async () => {
    const log = recordingLogger();
    const { url } = await scenarioServer({ authenticate, log });
    const { connection, faults } = await scenarioClient(url, route, { credential: () => 'ada-s3cret' });
    expect(await connection.invoke('Echo', 1)).toBe(1);
    await connection.stop();
    expect(JSON.stringify(log.lines)).not.toContain('s3cret');
    expect(faults()).toEqual([]);
  });

  it('is not served with an invalid one', async () => {
    const { url, connections } = await scenarioServer({ authenticate });
    await expect(scenarioClient(url, route, { credential: () => 'invalid' })).rejects.toThrow('401');
    expect(connections).toEqual([]);
  });

  // proves wire-3-46
  it('comes back with a new one when the old one ends', async () => {
    const { url, endings } = await scenarioServer({ authenticate, timings: { keepAliveMs: 40 } });
    let credential = credentialOf('ada', 400);
    const { connection, faults } = await scenarioClient(url, route, { reconnects: true, credential: () => credential });
    const reconnected = new Promise((resolve) => {
      connection.onreconnected(resolve);
    });
    credential = credentialOf('ada', 600_000);
    expect(await reconnected).toBe(connection.connectionId);
    expect(await connection.invoke('Echo', 'back')).toBe('back');
    expect(endings).toEqual(['dropped']);
    expect(faults()).toEqual([]);
  });
});

describe('the connectionToken of a caller (contract/identity.md#tokens)', () => {
  // proves wire-3-47
  it('opens nothing for another caller, or for nobody', async () => {
    const { url } = await scenarioServer({ authenticate });
    const client = await HttpHubClient.negotiate(url, bearer('ada'));
    for (const other of ['eve', undefined]) expect(await upgradeStatus(client.address, other)).toBe(404);
    expect(await upgradeStatus(client.address, 'ada')).toBe(101);
  });

  // proves wire-3-47
  it('lets no other caller poll, speak for, end or refresh a connection', async () => {
    const { url, endings } = await scenarioServer({ authenticate });
    const client = await HttpHubClient.negotiate(url, bearer('ada'));
    await client.poll();
    await client.post('{"protocol":"json","version":1}\u001e');
    for (const headers of [bearer('eve'), {}]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expect((await fetch(client.address, { method, headers })).status).toBe(404);
      }
      const refreshed = await fetch(client.address.replace('?', '/refresh?'), { method: 'POST', headers });
      expect(refreshed.status).toBe(404);
    }
    expect((await client.poll()).text).toBe('{}\u001e');
    expect(endings).toEqual([]);
  });

  it('counts the connections of a caller wherever it comes from, and of others by their address', async () => {
    const { url } = await scenarioServer({ authenticate, limits: { maxConnectionsPerKey: 1 } });
    for (const credential of ['ada', 'eve', undefined]) expect(await upgradeStatus(url, credential)).toBe(101);
    for (const credential of ['ada', 'eve', undefined]) expect(await upgradeStatus(url, credential)).toBe(429);
  });
});

describe('a LongPolling connection of a caller (contract/identity.md#tokens)', () => {
  it('lives as long as the credential of its last poll', async () => {
    const { url } = await scenarioServer({ authenticate, timings: { keepAliveMs: 40 } });
    const short = bearer(credentialOf('ada', 500));
    const connect = async (): Promise<HttpHubClient> => {
      const client = await HttpHubClient.negotiate(url, short);
      await client.poll();
      await client.post('{"protocol":"json","version":1}\u001e');
      expect(await client.poll()).toMatchObject({ text: '{}\u001e' });
      return client;
    };
    const [renewed, over] = [await connect(), await connect()];
    const poll = renewed.request('GET', { headers: bearer(credentialOf('ada', 600_000)) });
    expect(await over.poll()).toMatchObject({ text: '{"type":7,"allowReconnect":true}\u001e' });
    await renewed.post('{"type":1,"target":"Echo","arguments":[1],"invocationId":"1"}\u001e');
    expect(await (await poll).text()).toBe('{"type":3,"invocationId":"1","result":1}\u001e');
  });
});

describe('upgrades that wait while it is found out who they are (contract/identity.md#tokens)', () => {
  /** An authenticator at which all requests wait until the test opens the gate. `arrived` counts the requests. */
  function gated() {
    const gate = Promise.withResolvers<undefined>();
    const counted = { arrived: 0 };
    const waiting = async (request: FastifyRequest): Promise<HubCaller> => {
      counted.arrived += 1;
      await gate.promise;
      return authenticate(request);
    };
    return { authenticate: waiting, counted, gate };
  }

  // proves wire-3-29
  it.each([
    ['for all', { maxConnections: 2 }, 503],
    ['for their caller', { maxConnectionsPerKey: 2 }, 429],
  ])('are no more than there is room %s when they go on together', async (_title, limits, refused) => {
    const { counted, gate, ...waiting } = gated();
    const { url } = await scenarioServer({ ...waiting, limits });
    const statuses = [1, 2, 3, 4, 5, 6].map(() => upgradeStatus(url, 'ada'));
    await expect.poll(() => counted.arrived).toBe(6);
    gate.resolve(undefined);
    expect((await Promise.all(statuses)).toSorted((one, other) => one - other)).toEqual([
      101,
      101,
      ...[1, 2, 3, 4].map(() => refused),
    ]);
  });

  it('give their place back when their client has left meanwhile', async () => {
    const { counted, gate, ...waiting } = gated();
    const { url } = await scenarioServer({ ...waiting, limits: { maxConnections: 1 } });
    const { hostname, port, pathname } = new URL(url);
    const left = connect(Number(port), hostname);
    left.write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await expect.poll(() => counted.arrived).toBe(1);
    left.destroy();
    await new Promise((resolve) => left.once('close', resolve));
    gate.resolve(undefined);
    await expect.poll(() => upgradeStatus(url)).toBe(101);
  });
});

describe('POST {hub}/refresh (contract/identity.md#tokens)', () => {
  const refresh = (address: string, headers: Readonly<Record<string, string>>, method = 'POST'): Promise<Response> =>
    fetch(
      address.replace(/\?|$/, (end) => `/refresh${end}`),
      { method, headers },
    );

  // proves wire-3-46
  it('lets a connection live as long as the new credential of its caller', async () => {
    const { url, endings } = await scenarioServer({ authenticate, timings: { keepAliveMs: 40 } });
    const short = credentialOf('ada', 400);
    const client = await HttpHubClient.negotiate(url, bearer(short));
    const other = await HttpHubClient.negotiate(url, bearer(short));
    const kept = await RawHubClient.connect(client.address, { events: false, headers: bearer(short) });
    const ended = await RawHubClient.connect(other.address, { events: false, headers: bearer(short) });
    const refreshed = await refresh(client.address, bearer(credentialOf('ada', 3_600_500)));
    expect([refreshed.status, await refreshed.json()]).toEqual([200, { tokenLifetimeSeconds: 3600 }]);
    expect(refreshed.headers.get('cache-control')).toBe('no-store');
    expect(await ended.next(({ type }) => type === 7)).toEqual({ type: 7, allowReconnect: true });
    expect(endings).toEqual(['dropped']);
    kept.call('Echo', '1', 'still here');
    expect(await kept.result('1')).toBe('still here');
  });

  it('says nothing of a lifetime that has no end', async () => {
    const { url } = await scenarioServer({ authenticate });
    const client = await HttpHubClient.negotiate(url, bearer('ada'));
    await RawHubClient.connect(client.address, { events: false, headers: bearer('ada') });
    expect(await (await refresh(client.address, bearer('ada'))).json()).toEqual({});
  });

  it('takes a credential that ends never for one without an end', async () => {
    const { url } = await scenarioServer({ authenticate: () => ({ key: 'ada', expiresAt: Infinity }) });
    const response = await fetch(`${url}/negotiate?negotiateVersion=1`, { method: 'POST' });
    expect(await response.json()).not.toHaveProperty('tokenLifetimeSeconds');
  });

  it.each([
    ['without a connection token', '', 'ada', 400, 'missing_connection_token'],
    ['for a connection that is not there', '?id=unknown', 'ada', 404, 'connection_not_found'],
    ['with an invalid credential', '?id=unknown', 'invalid', 401, 'invalid_token'],
  ])('is refused %s', async (_title, ...[query, credential, status, error]) => {
    const { url } = await scenarioServer({ authenticate });
    const response = await refresh(url + query, bearer(credential));
    expect([response.status, await response.json()]).toEqual([
      status,
      { error, error_description: expect.any(String) as unknown },
    ]);
  });

  it('is refused where nobody is asked who they are, and answers POST only', async () => {
    const open = await scenarioServer();
    const disabled = await refresh(`${open.url}?id=1`, {});
    expect([disabled.status, await disabled.json()]).toMatchObject([404, { error: 'refresh_disabled' }]);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const response = await refresh(open.url, {}, method);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('is announced by negotiate', async () => {
    const { url } = await scenarioServer({ authenticate });
    const headers = bearer(credentialOf('ada', 60_500));
    const response = await fetch(`${url}/negotiate?negotiateVersion=1`, { method: 'POST', headers });
    expect(await response.json()).toMatchObject({ tokenLifetimeSeconds: 60 });
  });
});
