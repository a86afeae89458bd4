import { HttpTransportType } from '@microsoft/signalr';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HttpHubClient } from '../support/hub-http-client.ts';
import { officialClient, type OfficialClient } from '../support/hub-official-client.ts';
import { RawHubClient, UpgradeRefused } from '../support/hub-raw-client.ts';
import { hubRoutes, type ScenarioConnection, scenarioClient } from '../support/hub-scenario-client.ts';
import { RedisServer } from '../support/databases/redis.ts';
import { hasReplicas, replicasOfFile, servicesOfFile, startReplicas } from '../support/replicas/replica-processes.ts';
import { StatefulClient } from '../support/hub-stateful-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const services = servicesOfFile();

const yaml = `actions: { plugins: [./plugins] }
useMemoryContext: true
auth: { jwt: { secret: '${tokenSecret}' } }
`;
const files = {
  'plugins/shop/index.js': `export default {
    name: 'shop',
    actions: [{
      name: 'cancel_order',
      description: 'Cancels an order.',
      parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      execute: () => 'done',
    }],
  };`,
};

/** Three replicas with users, and an action that asks. */
const three = replicasOfFile(3, services, { yaml, files });

const eventNames = ['Connected', 'TurnStarted', 'TextDelta', 'TurnCompleted'];

/** Clients warn of events that nobody listens to. */
function hears(connection: ScenarioConnection): void {
  for (const name of eventNames) connection.on(name, () => undefined);
}

async function idOf(client: OfficialClient): Promise<string> {
  return client.connection.invoke<string>('GetConnectionId');
}

async function connected(url: string, options: Parameters<typeof officialClient>[1] = {}): Promise<OfficialClient> {
  const client = await officialClient(`${url}/helper-hub`, options);
  await vi.waitUntil(() => client.events.some(({ name }) => name === 'Connected'));
  return client;
}

function session(url: string, connectionId: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${url}/helper/session?connectionId=${connectionId}`, init);
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

function upgradeStatus(address: string): Promise<number> {
  return RawHubClient.open(address).then(
    (client) => {
      onTestFinished(() => {
        client.socket.terminate();
      });
      return 101;
    },
    (error: unknown) => (error instanceof UpgradeRefused ? error.status : 0),
  );
}

describe.skipIf(!hasReplicas)('a hub connection behind a balancer (contract/replicas.md#connections)', () => {
  // proves wire-10-40, wire-10-41
  it.each(hubRoutes)(
    'over $transport in $protocol works for client $release, wherever its requests go',
    async (route) => {
      const { balancer } = await three();
      const before = balancer.sent.length;
      const { connection, faults } = await scenarioClient(`${balancer.url}/helper-hub`, route, { prepare: hears });
      for (const message of ['Hello', 'Hello again', 'And again']) {
        const result = await connection.invoke('SendMessage', message, {});
        expect(result).toMatchObject({ status: 'completed' });
      }
      expect(faults()).toEqual([]);
      const used = balancer.sent.slice(before).filter(({ path }) => path.startsWith('/helper-hub'));
      expect(new Set(used.map(({ to }) => to)).size).toBe(route.transport === 'WebSockets' ? 2 : 3);
    },
  );

  // proves wire-10-50
  it.each([10, 'own'] as const)(
    'whose line breaks is back for client %s with stateful reconnect, whatever replica it reaches',
    async (release) => {
      const { balancer } = await three();
      const connected: unknown[] = [];
      const prepare = (connection: ScenarioConnection): void => {
        hears(connection);
        connection.on('Connected', (fields: unknown) => connected.push(fields));
      };
      const route = { release, transport: 'WebSockets', protocol: 'json' } as const;
      const options = { reconnects: true, stateful: true, prepare };
      balancer.direct(0, 1, 2);
      const { connection } = await scenarioClient(`${balancer.url}/helper-hub`, route, options);
      await connection.invoke('SendMessage', 'Hello', {});
      balancer.cut();
      await expect.poll(() => connected).toHaveLength(2);
      expect(await connection.invoke('SendMessage', 'Hello again', {})).toMatchObject({ status: 'completed' });
    },
  );

  // proves wire-10-42
  it('is opened once by its token, however many sockets ask, on whatever replicas', async () => {
    const { balancer } = await three();
    const { connectionToken } = (await (
      await fetch(`${balancer.url}/helper-hub/negotiate?negotiateVersion=1`, { method: 'POST' })
    ).json()) as { readonly connectionToken: string };
    const address = `${balancer.url}/helper-hub?id=${connectionToken}`;
    const statuses = await Promise.all(Array.from({ length: 20 }, () => upgradeStatus(address)));
    expect(statuses.filter((status) => status === 101)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([101, 404, 409]));
  });

  // proves wire-10-43
  it('saves and restores its conversation through every replica', async () => {
    const { balancer, replicas } = await three();
    const client = await connected(balancer.url);
    await client.connection.invoke('SendMessage', 'Remember the word heliotrope', {});
    const connectionId = await idOf(client);
    for (const { url } of replicas) {
      const saved = await session(url, connectionId);
      expect(saved.status).toBe(200);
      const { snapshot } = (await saved.json()) as { readonly snapshot: string };
      const restored = await session(url, connectionId, json({ snapshot }));
      expect(await restored.text()).toContain('heliotrope');
      const refused = await session(url, connectionId, json({ snapshot: 'x'.repeat(8_000_000) }));
      expect(await refused.json()).toMatchObject({ status: 400, code: 'snapshot_refused' });
      const unknown = await session(url, `${connectionId.slice(0, -4)}AAAA`);
      expect(await unknown.json()).toMatchObject({ status: 404, code: 'unknown_connection' });
    }
  });

  // proves wire-10-43
  it('is stopped, and its memory read, through every replica', async () => {
    const { balancer, replicas } = await three();
    const client = await connected(balancer.url);
    const connectionId = await idOf(client);
    for (const [index, { url }] of replicas.entries()) {
      const turn = client.connection.invoke('SendMessage', 'cancel order 1002', {});
      await vi.waitUntil(() => client.events.filter(({ name }) => name === 'ConfirmationRequested').length > index);
      const stopped = await fetch(`${url}/helper/cancel`, json({ connectionId }));
      expect(await stopped.json()).toEqual({ stopped: true });
      expect(await turn).toMatchObject({ status: 'stopped' });
      const memory = await fetch(`${url}/helper/memory?connectionId=${connectionId}`);
      expect(await memory.json()).toEqual({ facts: [] });
    }
  });

  // proves wire-10-44
  it('belongs to its user on every replica', async () => {
    const { balancer, replicas } = await three();
    const [ada, bob] = [await makeToken({ sub: 'ada' }), await makeToken({ sub: 'bob' })];
    const client = await connected(balancer.url, { token: ada, transport: HttpTransportType.LongPolling });
    const connectionId = await idOf(client);
    for (const { url } of replicas) {
      const as = (token?: string): Promise<Response> =>
        session(url, connectionId, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
      expect((await as(ada)).status).toBe(200);
      expect(await (await as(bob)).json()).toMatchObject({ status: 403, code: 'not_owner' });
      expect(await (await as()).json()).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect((await as(`${ada}x`)).status).toBe(401);
    }
  });

  // proves wire-10-43
  it('is given a new credential, and ended, through every replica', async () => {
    const { replicas, at } = await three();
    const headers = { authorization: `Bearer ${await makeToken({ sub: 'ada' })}` };
    const foreign = { authorization: `Bearer ${await makeToken({ sub: 'bob' })}` };
    for (const { url } of replicas) {
      const client = await HttpHubClient.negotiate(`${at(0).url}/helper-hub`, headers);
      await client.poll();
      const elsewhere = client.address.replace(at(0).url, url);
      const refresh = (as: Readonly<Record<string, string>>): Promise<Response> =>
        fetch(elsewhere.replace('?', '/refresh?'), { method: 'POST', headers: as });
      expect(await (await refresh(headers)).json()).toEqual({ tokenLifetimeSeconds: expect.any(Number) });
      expect((await refresh(foreign)).status).toBe(404);
      expect((await fetch(elsewhere, { method: 'DELETE', headers: foreign })).status).toBe(404);
      expect((await fetch(elsewhere, { method: 'DELETE', headers })).status).toBe(202);
      expect((await client.request('GET')).status).toBe(404);
    }
  });

  // proves wire-10-49
  it('gets what was posted before its GET, on whatever replicas', async () => {
    const { balancer } = await three();
    const first = balancer.sent.length;
    balancer.direct(0, 1, 2);
    const client = await HttpHubClient.negotiate(`${balancer.url}/helper-hub`);
    expect((await client.post('{"protocol":"json","version":1}\u001e')).status).toBe(200);
    expect(await client.poll()).toEqual({ status: 200, text: '' });
    expect(await client.poll()).toMatchObject({ status: 200, text: expect.stringContaining('{}\u001e') });
    expect(balancer.sent.slice(first, first + 3).map(({ to }) => to)).toEqual([0, 1, 2]);
  });

  // proves wire-10-50
  it('that comes back to another replica is refused there, and goes on where it is', async () => {
    const { balancer } = await three();
    balancer.direct(0, 1, 0, 1);
    const client = await StatefulClient.connect(`${balancer.url}/helper-hub`);
    expect(await client.status()).toBe(404);
    const second = await client.comeBack(1);
    second.call('GetConnectionId', '1');
    expect(await second.result('1')).toEqual(expect.any(String));
  });
});

describe.skipIf(!hasReplicas)('a hub connection whose replica has died (contract/replicas.md#connections)', () => {
  // proves wire-10-47
  it('is unknown: an open poll ends, later requests say so, and a client that reconnects is served', async () => {
    const { balancer, at } = await startReplicas(3, await services(), { yaml, files });
    balancer.direct(0, 0);
    const polling = await HttpHubClient.negotiate(`${balancer.url}/helper-hub`);
    await polling.poll();
    await polling.post('{"protocol":"json","version":1}\u001e');
    for (let heard = ''; !heard.includes('Connected'); heard += (await polling.poll()).text);
    balancer.direct(0, 0);
    const client = await connected(balancer.url, { reconnects: true });
    const elsewhere = polling.address.replace(balancer.url, at(1).url);
    // The poll that comes second ends the first one. So the other one waits at its replica by then.
    const polls = [fetch(elsewhere), fetch(polling.address.replace(balancer.url, at(2).url))];
    const first = await Promise.race(polls);
    expect(first.status).toBe(204);
    await at(0).kill('SIGKILL');
    await vi.waitUntil(() => client.events.filter(({ name }) => name === 'Connected').length === 2, 10_000);
    expect(await client.connection.invoke('SendMessage', 'Hello', {})).toMatchObject({ status: 'completed' });
    // Its replica is missed by its silence, or by its missing sign of life, whichever is noticed first.
    for (const { status } of await Promise.all(polls)) expect(status).toBeOneOf([204, 404, 503]);
    await expect.poll(async () => (await fetch(elsewhere)).status).toBe(404);
  });
});

describe.skipIf(!hasReplicas)('a hub connection while Redis is away (contract/replicas.md#connections)', () => {
  // proves wire-10-48
  it('opens and works; what needs another replica is refused until Redis is back', async () => {
    const { postgres } = await services();
    const redis = await RedisServer.start();
    onTestFinished(() => redis.close());
    const { at, balancer } = await startReplicas(2, { postgres, redis }, { yaml, files });
    const before = await connected(at(0).url);
    await redis.kill();
    balancer.direct(0, 1);
    const during = await connected(balancer.url, { transport: HttpTransportType.WebSockets });
    for (const client of [before, during])
      expect(await client.connection.invoke('SendMessage', 'Hello', {})).toMatchObject({ status: 'completed' });
    const [first, second] = [await idOf(before), await idOf(during)];
    expect((await session(at(0).url, first)).status).toBe(200);
    expect((await session(at(1).url, second)).status).toBe(200);
    const refused = await session(at(1).url, first);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ status: 503, code: 'cluster_unavailable' });
    const polling = await HttpHubClient.negotiate(`${at(0).url}/helper-hub`);
    expect((await polling.poll()).status).toBe(503);
    const streaming = await HttpHubClient.negotiate(`${at(0).url}/helper-hub`);
    expect((await streaming.stream()).response.status).toBe(200);
    const twice = await HttpHubClient.negotiate(`${at(0).url}/helper-hub`);
    const both = await Promise.all(
      [0, 1].map((index) => RawHubClient.connect(twice.address.replace(at(0).url, at(index).url))),
    );
    const closed: string[] = [];
    for (const { closed: end } of both) void end.then(() => closed.push('closed'));
    await redis.run();
    await expect.poll(() => closed).toEqual(['closed']);
    await expect.poll(async () => (await session(at(1).url, first)).status).toBe(200);
    await expect.poll(async () => (await session(at(0).url, second)).status).toBe(200);
  });
});
