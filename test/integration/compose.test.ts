import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { officialClient } from '../support/hub-official-client.ts';
import {
  composedReplicas,
  composeService,
  composeServices,
  startComposedReplicas,
} from '../support/replicas/compose-services.ts';
import { hasNginx, startNginx } from '../support/replicas/nginx.ts';
import { hasReplicas, servicesOfFile } from '../support/replicas/replica-processes.ts';
import { roundRobin } from '../support/replicas/round-robin.ts';
import { openSse } from '../support/sse-client.ts';

const services = servicesOfFile();
const proxy = readFileSync(new URL('../../compose/nginx.conf', import.meta.url), 'utf8');

const ask = (url: string, message: string) => openSse(`${url}/helper/chat`, { method: 'POST', body: { message } });

async function approve(url: string, actionId: unknown): Promise<number> {
  const body = JSON.stringify({ actionId, approved: true });
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${url}/helper/approve`, { method: 'POST', headers, body })).status;
}

/** Asks, answers on whichever replica is next, and reads the end. */
async function holdATurn(url: string): Promise<void> {
  const stream = await ask(url, 'cancel order 1002');
  const { actionId } = (await stream.next('confirmation')).data ?? {};
  expect(await approve(url, actionId)).toBe(200);
  expect((await stream.next('end')).data).toMatchObject({ status: 'completed' });
}

describe('docker-compose.yml (contract/replicas.md#deploying)', () => {
  it('starts one server unless it is asked for replicas', () => {
    const started = Object.entries(composeServices()).filter(([, { profiles }]) => profiles === undefined);
    expect(started.map(([name]) => name)).toEqual(['helper']);
  });

  // proves wire-10-87
  it('has replicas that are the same, and a proxy that takes turns between them', () => {
    const names = composedReplicas();
    expect(names).toHaveLength(2);
    for (const name of names) expect(composeService(name)).toEqual(composeService(names[0] ?? ''));
    const servers = [...proxy.matchAll(/^\s*server (\S+):8080/gm)].map(([, name]) => name);
    expect(servers).toEqual(names);
    expect(proxy).not.toMatch(/ip_hash|least_conn|sticky|\bhash\b/);
    expect(composeService(names[0] ?? '').environment?.['HELPER__SCALEOUT__REPLICAS']).toBe(String(names.length));
  });

  it('publishes its ports on this machine alone, and those of no database', () => {
    const published = Object.entries(composeServices()).flatMap(([name, { ports = [] }]) =>
      ports.map((port) => `${name} ${port}`),
    );
    expect(published).toEqual(['helper 127.0.0.1:8080:8080', 'proxy 127.0.0.1:8081:8080']);
  });
});

describe.skipIf(!hasReplicas)('the replicas of docker-compose.yml, as processes', () => {
  // proves wire-10-87
  it('serve as one behind a proxy that takes turns', async () => {
    const replicas = await startComposedReplicas(await services());
    const balancer = await roundRobin(replicas.map((replica) => replica.url));
    const { url, sent } = balancer;
    await vi.waitFor(async () => {
      for (const replica of replicas) {
        const ready = await fetch(`${replica.url}/readyz`);
        expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ready' }]);
      }
    });
    // The turn begins on one, and its question is answered on the other.
    balancer.direct(0, 1);
    await holdATurn(url);
    expect(sent.filter(({ path }) => path.startsWith('/helper/')).map(({ to }) => to)).toEqual([0, 1]);
    const { connection } = await officialClient(`${url}/helper-hub`);
    expect(await connection.invoke('SendMessage', 'List the orders.', {})).toMatchObject({ status: 'completed' });
    const negotiated = sent.filter(({ path }) => path.startsWith('/helper-hub')).map(({ to }) => to);
    expect(new Set(negotiated)).toEqual(new Set([0, 1]));
  });

  it.skipIf(!hasNginx)(
    hasNginx ? 'serve behind the very proxy' : 'serve behind the very proxy (needs nginx)',
    async () => {
      const replicas = await startComposedReplicas(await services());
      const url = await startNginx(replicas.map((replica) => replica.url));
      for (let turn = 0; turn < 4; turn += 1) await holdATurn(url);
      const { connection } = await officialClient(`${url}/helper-hub`);
      expect(await connection.invoke('SendMessage', 'List the orders.', {})).toMatchObject({ status: 'completed' });
      // A dead replica is passed over.
      await replicas[0]?.kill('SIGKILL');
      for (let turn = 0; turn < 2; turn += 1) await holdATurn(url);
    },
  );
});

describe.skipIf(!hasNginx)(
  `the proxy of docker-compose.yml (contract/replicas.md#deploying)${hasNginx ? '' : ' (needs nginx)'}`,
  () => {
    it.each([
      ['POST', '/helper-hub/negotiate?negotiateVersion=1', 2],
      ['GET', '/helper-hub?id=x', 2],
      // A message may have been taken in.
      ['POST', '/helper-hub?id=x', 1],
      ['POST', '/helper/chat', 1],
    ])(
      'asks the other replica where one refuses a connection to the hub, and nothing else twice: %s %s',
      async (method, path, times) => {
        const [refusing, serving] = [await answering(503), await answering(200)];
        const url = await startNginx([refusing.url, serving.url]);
        const statuses = [];
        for (let time = 0; time < 2; time += 1) statuses.push((await fetch(`${url}${path}`, { method })).status);
        const asked = [...refusing.asked, ...serving.asked].filter((request) => request === `${method} ${path}`);
        // One of both requests goes to the replica that refuses, whichever is next.
        expect(refusing.asked).toContain(`${method} ${path}`);
        expect(asked).toHaveLength(times + 1);
        expect(statuses.toSorted()).toEqual(times === 2 ? [200, 200] : [200, 503]);
      },
    );
  },
);

/** A server that answers everything with this status. */
async function answering(status: number): Promise<{ readonly url: string; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { url: `http://127.0.0.1:${String(port)}`, asked };
}
