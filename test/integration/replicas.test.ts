import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ownPostgres } from '../support/databases/postgres.ts';
import { RedisServer } from '../support/databases/redis.ts';
import { hasReplicas, type Replica, servicesOfFile, startReplicas } from '../support/replicas/replica-processes.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const shared = servicesOfFile();

// The databases start before the first test, and not in its time.
beforeAll(async () => {
  if (hasReplicas) await shared();
});

/** The databases of the file, with a Redis that only this test uses. */
async function withOwnRedis() {
  const redis = await RedisServer.start();
  onTestFinished(() => redis.close());
  return { postgres: (await shared()).postgres, redis };
}

const none = 'actions: none\n';
const signIn = `auth: { jwt: { secret: '${tokenSecret}' } }\n`;
const bearer = async (sub: string): Promise<Record<string, string>> => ({
  authorization: `Bearer ${await makeToken({ sub })}`,
});

interface Readiness {
  readonly http: number;
  readonly status: string;
  readonly bus: string | undefined;
  readonly storage: string | undefined;
  readonly configuration: string;
}

async function readiness({ url }: Replica): Promise<Readiness> {
  const answer = await fetch(`${url}/readyz`);
  const body = (await answer.json()) as {
    readonly status: string;
    readonly checks: readonly { readonly name: string; readonly state: string }[];
    readonly configuration: string;
  }; // contract/operations.md#probes
  const stateOf = (check: string): string | undefined => body.checks.find(({ name }) => name === check)?.state;
  return {
    http: answer.status,
    status: body.status,
    bus: stateOf('bus'),
    storage: stateOf('storage'),
    configuration: body.configuration,
  };
}

/** Waits until a replica says this of itself. */
async function until(replica: Replica, expected: Partial<Readiness>): Promise<void> {
  await vi.waitFor(async () => expect(await readiness(replica)).toMatchObject(expected), {
    interval: 100,
  });
}

const reaching = { http: 200, status: 'ready', bus: 'ok' };
const alone = { http: 200, status: 'degraded', bus: 'degraded' };

async function busUp({ url }: Replica): Promise<string | undefined> {
  return /^helperagent_bus_up (\d)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
}

/** How a message ended: its code, or its status when there is none. */
async function ask({ url }: Replica, headers: Record<string, string> = {}): Promise<unknown> {
  const stream = await openSse(`${url}/helper/chat?message=hello`, { headers });
  const { data } = await stream.next('end');
  return data?.['code'] ?? data?.['status'];
}

type Change = (redis: RedisServer) => Promise<void>;
const kill: Change = (redis) => redis.kill();
const run: Change = (redis) => redis.run();
const freeze: Change = (redis) => {
  redis.freeze();
  return Promise.resolve();
};
const thaw: Change = (redis) => {
  redis.thaw();
  return Promise.resolve();
};

const lines = (replica: Replica, text: string): number => replica.printed().split(text).length - 1;

describe.skipIf(!hasReplicas)('replicas and Redis (contract/replicas.md#away)', () => {
  // proves wire-10-17
  it('start while Redis is away, serve, say so, and reach each other once it is there', async () => {
    const services = await withOwnRedis();
    await services.redis.kill();
    const { replicas } = await startReplicas(2, services, { yaml: none });
    for (const replica of replicas) {
      expect(await readiness(replica)).toMatchObject(alone);
      expect(await busUp(replica)).toBe('0');
      expect(await ask(replica)).toBe('completed');
      expect((await fetch(`${replica.url}/healthz`)).status).toBe(200);
    }
    await services.redis.run();
    for (const replica of replicas) {
      await until(replica, reaching);
      expect(await busUp(replica)).toBe('1');
      await vi.waitFor(() => expect(lines(replica, 'Redis is there again')).toBe(1));
      expect(lines(replica, 'Redis is away')).toBe(1);
    }
  });

  // proves wire-10-19
  it('show no password of Redis, also when Redis does not take it', async () => {
    const { postgres, redis } = await withOwnRedis();
    const environment = { HELPER__SCALEOUT__URL: redis.url('helper:hunter2') };
    const { at } = await startReplicas(1, { postgres, redis }, { yaml: none, environment });
    await until(at(0), alone);
    await vi.waitFor(() => expect(at(0).printed()).toContain('WRONGPASS'));
    expect(await at(0).kill('SIGTERM')).toBe(0);
    expect(at(0).printed()).not.toContain('hunter2');
  });

  // proves wire-10-17
  it.each([
    ['is killed', kill, run],
    ['stands still', freeze, thaw],
  ])('stay ready when Redis %s, and reach each other again by themselves', async (_title, take, give) => {
    const services = await withOwnRedis();
    const { replicas } = await startReplicas(2, services, { yaml: none });
    for (const replica of replicas) expect(await readiness(replica)).toMatchObject(reaching);
    await take(services.redis);
    for (const replica of replicas) await until(replica, alone);
    for (const replica of replicas) expect(await ask(replica)).toBe('completed');
    await give(services.redis);
    for (const replica of replicas) await until(replica, reaching);
  });

  // proves wire-4-83
  it('stay ready while PostgreSQL is away, say so, and go on with turns that need none of it', async () => {
    const postgres = await ownPostgres();
    const { redis } = await shared();
    const { replicas } = await startReplicas(2, { postgres, redis }, { yaml: none });
    for (const replica of replicas) await until(replica, { ...reaching, storage: 'ok' });
    await postgres.stop();
    for (const replica of replicas) {
      await until(replica, { http: 200, status: 'degraded', bus: 'ok', storage: 'degraded' });
      expect(await ask(replica)).toBe('completed');
    }
    await postgres.run();
    for (const replica of replicas) await until(replica, { ...reaching, storage: 'ok' });
  });

  // proves wire-10-18
  it('answer 503 cluster_unavailable for what only another replica can know while Redis is away', async () => {
    const services = await withOwnRedis();
    const { at } = await startReplicas(1, services, { yaml: none });
    const approve = async (): Promise<readonly unknown[]> => {
      const answer = await fetch(`${at(0).url}/helper/approve`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ actionId: `aaaaaaaa.${'x'.repeat(22)}`, approved: true }),
      });
      const { code } = (await answer.json()) as { readonly code: string }; // contract/errors.md
      return [answer.status, code, answer.headers.get('retry-after')];
    };
    expect(await approve()).toEqual([404, 'nothing_to_answer', null]);
    await services.redis.kill();
    await until(at(0), alone);
    expect(await approve()).toEqual([503, 'cluster_unavailable', '1']);
    await services.redis.run();
    await until(at(0), reaching);
    await vi.waitFor(async () => expect(await approve()).toEqual([404, 'nothing_to_answer', null]));
  });

  // proves wire-10-20
  it('are not spoken of where there is one server', async () => {
    const { postgres, redis } = await shared();
    const environment = { HELPER__SCALEOUT__TYPE: 'none', HELPER__SCALEOUT__URL: 'null' };
    const { at } = await startReplicas(1, { postgres, redis }, { yaml: none, environment });
    expect(await readiness(at(0))).toMatchObject({ http: 200, status: 'ready', bus: undefined });
    expect(await busUp(at(0))).toBeUndefined();
  });
});

describe.skipIf(!hasReplicas)('limits over replicas (contract/replicas.md#limits)', () => {
  // proves configuration-5-73
  it('count the messages of a user on all replicas together', async () => {
    const { at } = await startReplicas(2, await shared(), { yaml: `${none}${signIn}rateLimitPerUser: 3\n` });
    const [ann, bob] = [await bearer('ann'), await bearer('bob')];
    expect([await ask(at(0), ann), await ask(at(1), ann), await ask(at(0), ann)]).toEqual(
      Array.from({ length: 3 }, () => 'completed'),
    );
    expect([await ask(at(0), ann), await ask(at(1), ann)]).toEqual(['rate_limited', 'rate_limited']);
    expect(await ask(at(1), bob)).toBe('completed');
  });

  // proves configuration-5-73
  it('count direct calls of a user on all replicas together, apart from messages', async () => {
    const shop = `export default { name: 'shop', actions: [{
      name: 'get_stock', description: 'The stock.', readOnly: true, parameters: { type: 'object', additionalProperties: true }, execute: () => 12,
    }] };`;
    const { at } = await startReplicas(2, await shared(), {
      yaml: `actions: { plugins: [.] }\nmcpServerEnabled: true\n${signIn}rateLimitPerUser: 2\n`,
      files: { 'shop.plugin.js': shop },
    });
    const ann = await bearer('ann');
    const isRefused = async ({ url }: Replica): Promise<boolean> => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      onTestFinished(() => client.close());
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: ann } }));
      return (await client.callTool({ name: 'get_stock' })).isError === true;
    };
    expect([await isRefused(at(0)), await isRefused(at(1))]).toEqual([false, false]);
    expect([await isRefused(at(0)), await isRefused(at(1))]).toEqual([true, true]);
    expect(await ask(at(1), ann)).toBe('completed');
  });

  // proves configuration-5-73
  it('let exactly as many of many messages at once through as there may be', async () => {
    const { replicas } = await startReplicas(2, await shared(), { yaml: `${none}${signIn}rateLimitPerUser: 7\n` });
    const ann = await bearer('ann');
    const all = await Promise.all(replicas.flatMap((replica) => Array.from({ length: 9 }, () => ask(replica, ann))));
    expect(all.filter((end) => end === 'completed')).toHaveLength(7);
    expect(all.filter((end) => end === 'rate_limited')).toHaveLength(11);
  });

  // proves configuration-5-74
  it.each([
    ['is killed', kill],
    ['stands still', freeze],
  ])('are those of each replica while Redis %s', async (_title, take) => {
    const services = await withOwnRedis();
    const { at } = await startReplicas(2, services, { yaml: `${none}${signIn}rateLimitPerUser: 2\n` });
    const ann = await bearer('ann');
    expect(await ask(at(0), ann)).toBe('completed');
    await take(services.redis);
    // The first one may have to notice that nobody answers.
    expect([await ask(at(0), ann), await ask(at(0), ann)]).toEqual(['completed', 'rate_limited']);
    expect([await ask(at(1), ann), await ask(at(1), ann), await ask(at(1), ann)]).toEqual([
      'completed',
      'completed',
      'rate_limited',
    ]);
  });
});

describe.skipIf(!hasReplicas)('a reload that one replica was asked for (contract/replicas.md#news)', () => {
  /** Changes the configuration of all replicas, and has one of them read it. */
  function change(config: string, line: string, { pid }: Replica): void {
    writeFileSync(config, `${readFileSync(config, 'utf8')}${line}\n`);
    process.kill(pid, 'SIGHUP');
  }

  /** Waits until a replica has another configuration than this one. */
  const untilOther = (replica: Replica, before: string): Promise<void> =>
    vi.waitFor(async () => expect((await readiness(replica)).configuration).not.toBe(before));

  // proves configuration-5-76
  it('is one of all replicas', async () => {
    const { replicas, config, at } = await startReplicas(2, await shared(), { yaml: none });
    const before = await Promise.all(replicas.map(readiness));
    change(config, 'appDescription: A shop.', at(1));
    await Promise.all(before.map(({ configuration }, index) => untilOther(at(index), configuration)));
  });

  // proves configuration-5-77
  it('reaches a replica that missed it once Redis is back', async () => {
    const services = await withOwnRedis();
    const { replicas, config, at } = await startReplicas(2, services, { yaml: none });
    const [one, other] = await Promise.all(replicas.map(async (each) => (await readiness(each)).configuration));
    await services.redis.kill();
    for (const index of [0, 1]) await until(at(index), alone);
    change(config, 'appDescription: A shop.', at(0));
    await untilOther(at(0), one ?? '');
    expect((await readiness(at(1))).configuration).toBe(other);
    await services.redis.run();
    await untilOther(at(1), other ?? '');
  });

  // proves configuration-5-78
  it('reaches others over new keys, first known to all and then used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'helper-keys-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const keyFile = join(folder, 'keys.json');
    const [old, renewed] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const write = (...keys: readonly unknown[]): void => writeFileSync(keyFile, JSON.stringify({ keys }));
    write(old);
    const environment = { HELPER__DATAPROTECTION__KEYS: '[]', HELPER__DATAPROTECTION__KEYFILE: keyFile };
    const { replicas, config, at } = await startReplicas(2, await shared(), { yaml: none, environment });
    const steps = [[old, renewed], [renewed, old], [renewed]];
    for (const [index, keys] of steps.entries()) {
      write(...keys);
      const taken = (replica: Replica): Promise<void> =>
        vi.waitFor(() => expect(lines(replica, 'changed secret files were read again')).toBe(index + 1));
      await Promise.all(replicas.map(taken));
    }
    const { configuration } = await readiness(at(1));
    change(config, 'appDescription: A shop.', at(0));
    await untilOther(at(1), configuration);
  });

  // proves configuration-5-76
  it('is one of nobody when its file has faults', async () => {
    const { replicas, config, at } = await startReplicas(2, await shared(), { yaml: none });
    const before = await Promise.all(replicas.map(readiness));
    change(config, 'appDescriptoin: A shop.', at(0));
    await vi.waitFor(() => expect(at(0).printed()).toContain('has faults: nothing changes'));
    expect(await Promise.all(replicas.map(readiness))).toEqual(before);
    expect(at(1).printed()).not.toContain('another replica was asked');
  });
});
