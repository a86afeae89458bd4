import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpStatusByCode } from '../../src/channels/shared/problem-json.ts';
import { RawHubClient } from '../support/hub-raw-client.ts';
import { openRawSocket, requestText } from '../support/raw-socket.ts';
import { calling, chunk, ending, hangingAfter, type ModelScript } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

interface Problem {
  readonly status: number;
  readonly code: unknown;
}

const json = { 'content-type': 'application/json' };

async function problem(answer: Response | Promise<Response>): Promise<Problem> {
  const response = await answer;
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json\b/);
  const body = (await response.json()) as Readonly<Record<string, unknown>>;
  expect(body['status']).toBe(response.status);
  return { status: response.status, code: body['code'] };
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const bearer = async (sub: string): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await makeToken({ sub })}`,
});

/** A plugin with an action that writes, and with demo data that cannot be reset. */
const plugin = `export default {
  name: 'desk',
  actions: [{ name: 'ship', description: 'Ships.', parameters: { type: 'object' }, execute: () => 1 }],
  demo: { title: 'Orders', columns: [], rows: () => [], reset() { throw new Error('no'); } },
};`;

function serve(settings: object = {}, scripts: readonly ModelScript[] = []): Promise<ScriptedServer> {
  const auth = { jwt: { secret: tokenSecret } };
  return scriptedServer({ scripts, plugin, settings: { auth, ...settings } });
}

async function connection(url: string, headers: Record<string, string> = {}) {
  const client = await RawHubClient.connect(`${url}/helper-hub`, { headers });
  onTestFinished(() => {
    client.socket.terminate();
  });
  client.call('GetConnectionId', 'id');
  return { client, connectionId: String(await client.result('id')) };
}

/** A request that meets each code on a whole server. `cluster_unavailable` takes several (`replicas.test.ts`). */
const met: Readonly<Record<Exclude<keyof typeof httpStatusByCode, 'cluster_unavailable'>, () => Promise<Problem>>> = {
  invalid_request: async () => problem(post(`${(await serve()).url}/helper/approve`, '{')),
  snapshot_refused: async () => {
    const { url } = await serve();
    const { connectionId } = await connection(url);
    return problem(post(`${url}/helper/session?connectionId=${connectionId}`, { snapshot: 'hs1.none' }));
  },
  unauthenticated: async () => {
    const headers = { authorization: 'Bearer none' };
    return problem(fetch(`${(await serve()).url}/helper/chat?message=x`, { headers }));
  },
  forbidden: async () => {
    const headers = { origin: 'https://evil.example' };
    return problem(fetch(`${(await serve()).url}/helper/chat?message=x`, { headers }));
  },
  not_owner: async () => {
    const { url } = await serve();
    const { connectionId } = await connection(url, await bearer('ann'));
    return problem(post(`${url}/helper/cancel`, { connectionId }, await bearer('bob')));
  },
  not_found: async () => problem(fetch(`${(await serve()).url}/helper/nothing`)),
  unknown_connection: async () => problem(post(`${(await serve()).url}/helper/cancel`, { connectionId: 'nobody' })),
  nothing_to_answer: async () =>
    problem(post(`${(await serve()).url}/helper/approve`, { actionId: 'none', approved: true })),
  method_not_allowed: async () => problem(fetch(`${(await serve()).url}/helper/approve`, { method: 'DELETE' })),
  request_timeout: async () => {
    const { url } = await serve({ server: { requestTimeout: '300ms' } });
    const client = await openRawSocket(url);
    client.send(requestText('POST /helper/approve', { ...json, 'content-length': '9' }));
    await client.closed;
    const body = JSON.parse(client.read().split('\r\n\r\n')[1] ?? '') as { readonly code: string };
    return { status: client.statuses()[0] ?? 0, code: body.code };
  },
  turn_in_progress: async () => {
    const { url } = await serve({}, [hangingAfter('Well')]);
    const { client, connectionId } = await connection(url);
    const address = `${url}/helper/session?connectionId=${connectionId}`;
    const saved = await (await fetch(address)).text();
    client.call('SendMessage', '1', 'Hello');
    await client.event('TextDelta');
    return problem(post(address, saved));
  },
  payload_too_large: async () => problem(post(`${(await serve()).url}/helper/approve`, `"${'x'.repeat(70_000)}"`)),
  not_json: async () => problem(post(`${(await serve()).url}/helper/approve`, '{}', { 'content-type': 'text/plain' })),
  rate_limited: async () => {
    const { url } = await serve({ endpoints: { transports: { rateLimit: { max: 1, window: '1m' } } } });
    await (await fetch(`${url}/helper/chat?message=x`)).text();
    return problem(fetch(`${url}/helper/chat?message=x`));
  },
  uri_too_long: async () => problem(fetch(`${(await serve()).url}/helper/chat?message=${'x'.repeat(66_000)}`)),
  internal: async () => problem(fetch(`${(await serve()).url}/helper/demo/reset`, { method: 'POST' })),
  server_draining: async () => {
    const release = Promise.withResolvers<undefined>();
    const held: ModelScript = async (exchange) => {
      await exchange.send(chunk({ content: 'Well' }));
      await release.promise;
      await exchange.send(ending());
      exchange.end();
    };
    const overrides = { HELPER__SERVER__SHUTDOWNGRACE: '20s' };
    const { url, server } = await scriptedServer({ scripts: [held], overrides });
    const stream = await openSse(`${url}/helper/chat?message=x`);
    await stream.next('text');
    const closed = server.close();
    try {
      return await problem(fetch(`${url}/helper/chat?message=x`));
    } finally {
      release.resolve(undefined);
      await closed;
    }
  },
  overloaded: async () => {
    const { url } = await serve({ server: { maxConnections: 1 } }, [hangingAfter('Well')]);
    const stream = await openSse(`${url}/helper/chat?message=x`);
    onTestFinished(() => {
      stream.close();
    });
    return problem(fetch(`${url}/helper/chat?message=x`));
  },
  storage_unavailable: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-codes-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const storage = { type: 'embedded', path: join(folder, 'data') };
    const { url } = await scriptedServer({
      scripts: [calling({ name: 'ship', arguments: {} })],
      plugin,
      settings: { storage },
      overrides: { HELPER__STORAGE__TYPE: 'embedded' },
    });
    const stream = await openSse(`${url}/helper/chat?message=ship`);
    const { data } = await stream.next('confirmation');
    renameSync(join(folder, 'data'), join(folder, 'away'));
    try {
      return await problem(post(`${url}/helper/approve`, { actionId: data?.['actionId'], approved: true }));
    } finally {
      renameSync(join(folder, 'away'), join(folder, 'data'));
      stream.close();
    }
  },
};

/** The rows of the table of the contract. */
const stated = Object.fromEntries(
  [
    ...readFileSync(join(import.meta.dirname, '../../docs/contract/errors.md'), 'utf8').matchAll(
      /^\| `(\w+)` +\| (\d{3}) /gm,
    ),
  ].map(([, code = '', status]) => [code, Number(status)]),
);

describe('the codes of problem documents (contract/errors.md)', () => {
  // proves wire-8-01
  it('stand in the contract, each with its status', () => {
    expect(stated).toEqual(httpStatusByCode);
  });

  // proves wire-8-01
  it.each(Object.entries(met))('a whole server answers %s with its status', async (code, ask) => {
    expect(await ask()).toEqual({ status: stated[code], code });
  });
});
