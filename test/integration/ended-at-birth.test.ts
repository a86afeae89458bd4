import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HttpServers } from '../../src/app/http/http-servers.ts';
import { RequestsPerAddress } from '../../src/app/http/requests-per-address.ts';
import { CallbackConnection } from '../../src/adapters/action-callback/callback-connection.ts';
import { type RedisAddress, redisClient } from '../../src/adapters/bus/redis/redis-address.ts';
import { IndexThread } from '../../src/adapters/knowledge/files/index-thread.ts';
import { ReaderProcess } from '../../src/adapters/knowledge/files/worker/reader-process.ts';
import { Program } from '../../src/adapters/mcp-client/child-process.ts';
import { mcpLimits } from '../../src/adapters/mcp-client/mcp-limits.ts';
import { StorageThread } from '../../src/adapters/stores/embedded/storage-thread.ts';
import { migratePostgres } from '../../src/adapters/stores/postgres/migrate-postgres.ts';
import { PostgresPool } from '../../src/adapters/stores/postgres/postgres-pool.ts';
import { ServerLock } from '../../src/adapters/stores/postgres/server-lock.ts';
import { migrations } from '../../src/adapters/stores/sql/migrations.ts';
import { unobserved } from '../../src/adapters/stores/storage-observer.ts';
import { endingProxy, type EndingProxy } from '../support/databases/ending-proxy.ts';
import { hasPostgres, postgresOfRun } from '../support/databases/postgres.ts';
import { freePort } from '../support/free-port.ts';
import {
  builtServer,
  processEnvironment,
  shippedConfiguration,
  withoutDocuments,
} from '../support/process-environment.ts';
import { openRawSocket, requestText } from '../support/raw-socket.ts';
import { realServer } from '../support/real-server.ts';
import { recordingLogger } from '../support/quiet.ts';
import { startServerProcess } from '../support/server-process.ts';
import { openSse } from '../support/sse-client.ts';
import { uncaughtFaults } from '../support/uncaught-faults.ts';

const postgres = postgresOfRun();

/** A program of a thread or a process, as an address that Node runs. */
function programOf(source: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helper-ended-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A server on TCP that does this with each connection. It ends with the test. */
async function serverThat(ends: (socket: Socket) => void): Promise<{ readonly server: Server; readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    ends(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on TCP');
  return { server, port: address.port };
}

async function provesNothingUncaught(faults: readonly unknown[]): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect(faults).toEqual([]);
}

describe.skipIf(!hasPostgres)('a connection that PostgreSQL ends as it opens (contract/restarts.md#postgresql)', () => {
  async function throughProxy(): Promise<EndingProxy> {
    const url = await (await postgres()).newDatabase();
    await migratePostgres(url, migrations);
    return endingProxy(url);
  }

  // proves wire-11-54
  it('fails what it was opened for, and the pool opens the next one', async () => {
    const faults = uncaughtFaults();
    const proxy = await throughProxy();
    const pool = new PostgresPool({ url: proxy.url, maxConnections: 3 });
    onTestFinished(() => pool.close());
    const ask = (): Promise<unknown> => pool.use((connection) => connection.query('select 1'));
    proxy.endsNew = true;
    const asked = await Promise.allSettled(Array.from({ length: 9 }, ask));
    expect(asked.map(({ status }) => status)).toEqual(Array(9).fill('rejected'));
    await provesNothingUncaught(faults);
    proxy.endsNew = false;
    await ask();
    expect(proxy.ended).toBeGreaterThan(0);
  });

  // proves wire-11-54
  it('is no lock of the database, and no migration', async () => {
    const faults = uncaughtFaults();
    const proxy = await throughProxy();
    const lock = new ServerLock(proxy.url, unobserved);
    onTestFinished(() => lock.release());
    proxy.endsNew = true;
    await expect(lock.take(0)).rejects.toThrow();
    expect(lock.isHeld).toBe(false);
    await expect(migratePostgres(proxy.url, migrations)).rejects.toThrow();
    await provesNothingUncaught(faults);
    proxy.endsNew = false;
    await lock.take(0);
    expect(lock.isHeld).toBe(true);
  });

  // proves wire-11-54
  it('ends no server: it serves on, and is ready again by itself', async () => {
    const proxy = await throughProxy();
    const folder = newFolder();
    const server = startServerProcess({
      folder,
      environment: { HELPER__STORAGE__TYPE: 'postgres', HELPER__STORAGE__URL: proxy.url },
    });
    const url = await server.url;
    proxy.endsNew = true;
    const ask = async (): Promise<void> => {
      const stream = await openSse(`${url}/helper/chat?message=${encodeURIComponent('cancel order 1002')}`);
      stream.close();
    };
    await vi.waitFor(async () => {
      await Promise.all(Array.from({ length: 6 }, () => ask().catch(() => undefined)));
      expect(proxy.ended).toBeGreaterThan(5);
    });
    proxy.endsNew = false;
    await vi.waitFor(async () => {
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    });
    expect(server.printed()).not.toContain('Unhandled');
  });
});

const endings: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['closed', (socket) => socket.end()],
  ['reset', (socket) => socket.resetAndDestroy()],
  ['reset with the first data', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['closed after an answer that is none', (socket) => socket.end('\0\u00ff nonsense\r\n$99999999999\r\n*-5\r\n')],
];

describe('what ends in its first moment (contract/restarts.md#what-ends-by-itself)', () => {
  const addresses: readonly (readonly [string, (port: number) => RedisAddress])[] = [
    ['Redis', (port) => ({ kind: 'server', url: `redis://127.0.0.1:${String(port)}` })],
    ['Redis with TLS', (port) => ({ kind: 'server', url: `rediss://127.0.0.1:${String(port)}` })],
    [
      'a Sentinel',
      (port) => ({ kind: 'sentinel', name: 'm', addresses: [`redis://127.0.0.1:${String(port)}`], url: null }),
    ],
    ['a Redis Cluster', (port) => ({ kind: 'cluster', addresses: [`redis://127.0.0.1:${String(port)}`] })],
  ];
  const rows = addresses.flatMap(([where, address]) =>
    endings.map(([how, ends]) => [where, how, address, ends] as const),
  );

  // proves wire-11-52
  it.each(rows)('is borne: a connection to %s that is %s', async (_where, _how, address, ends) => {
    const faults = uncaughtFaults();
    let ended = 0;
    const { port } = await serverThat((socket) => {
      ended += 1;
      ends(socket);
    });
    const client = redisClient(address(port));
    client.on('error', () => undefined);
    client.on('ready', () => void client.ping().catch(() => undefined));
    onTestFinished(() => {
      client.disconnect();
    });
    client.connect().catch(() => undefined);
    await vi.waitFor(() => {
      expect(ended).toBeGreaterThan(2);
    });
    await provesNothingUncaught(faults);
  });

  // proves wire-11-52
  it.each(endings)('is borne: a request to a callback that is %s', async (_how, ends) => {
    const faults = uncaughtFaults();
    const { port } = await serverThat(ends);
    const connection = new CallbackConnection({
      url: `http://127.0.0.1:${String(port)}/`,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    });
    onTestFinished(() => connection.close());
    const signal = AbortSignal.timeout(10_000);
    await expect(
      connection.send({ method: 'POST', id: 'a', body: '{}', trace: '0'.repeat(32), signal }),
    ).rejects.toThrow();
    await provesNothingUncaught(faults);
  });

  // proves wire-11-52
  it.each([
    ['ends at once', 'process.exit(3)'],
    ['closes what it reads from', "process.stdin.destroy(); process.stdout.write('x')"],
    ['throws', "throw new Error('away')"],
    ['is killed', "process.kill(process.pid, 'SIGKILL')"],
  ])('is borne: a program of an MCP server that %s', async (_how, source) => {
    const faults = uncaughtFaults();
    const program = await Program.start({
      command: process.execPath,
      arguments: ['--input-type=module', '--eval', source],
      environmentVariables: {},
      log: recordingLogger(),
      limits: { ...mcpLimits, closeMs: 200 },
    });
    const many = 'x'.repeat(100_000);
    await Promise.allSettled([program.write(many), program.write(many)]);
    await program.close();
    await program.ended;
    await provesNothingUncaught(faults);
  });

  // proves wire-11-52
  it.each([
    ['throws', "throw new Error('away')"],
    ['ends', 'process.exit(7)'],
    ['is no program', 'no program'],
    ['rejects a promise', "void Promise.reject(new Error('away'))"],
  ])('is borne: a thread whose program %s', async (_how, source) => {
    const faults = uncaughtFaults();
    const crashes: string[] = [];
    const storage = new StorageThread({
      start: { role: 'writer', folder: newFolder(), migrations: [], checkLog: false },
      onCommit: () => undefined,
      onCrash: (reason) => crashes.push(reason),
      program: programOf(source),
    });
    await expect(storage.open()).rejects.toThrow();
    const index = new IndexThread(programOf(source));
    const crashed = new Promise<string>((resolve) => {
      index.open({ kind: 'open', source: 1 } as Parameters<IndexThread['open']>[0], {
        hear: () => undefined,
        answer: () => Promise.reject(new Error('no calls')),
        crashed: resolve,
      });
    });
    await crashed;
    await index.close(1);
    await provesNothingUncaught(faults);
  });

  // proves wire-11-52
  it('is borne: the process that reads files', async () => {
    const faults = uncaughtFaults();
    const reader = new ReaderProcess({ program: new URL('file:///no/such/program.js') });
    const order = {} as Parameters<ReaderProcess['read']>[0];
    await expect(reader.read(order)).rejects.toThrow('did not start');
    await reader.end();
    await provesNothingUncaught(faults);
  });

  // proves wire-11-52
  it('is borne: a client that resets a WebSocket while it opens', async () => {
    const faults = uncaughtFaults();
    const { url } = await realServer();
    for (let client = 0; client < 20; client += 1) {
      const { socket } = await openRawSocket(url);
      socket.on('error', () => undefined);
      socket.write(
        requestText('GET /helper/hub', {
          connection: 'Upgrade',
          upgrade: 'websocket',
          'sec-websocket-version': '13',
          'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        }),
      );
      if (client % 2 === 1) await once(socket, 'data');
      socket.resetAndDestroy();
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await provesNothingUncaught(faults);
  });

  // proves wire-11-52
  it('is borne: a connection that the machine cannot take in', async () => {
    const faults = uncaughtFaults();
    const log = recordingLogger();
    const perAddress = new RequestsPerAddress({ max: 10, trustProxy: false });
    const servers = new HttpServers({ requestTimeout: 1_000, maxSockets: 10, tls: undefined, perAddress, log });
    const server = servers.create((_request, response) => void response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    server.emit('error', Object.assign(new Error('accept ENOMEM'), { code: 'ENOMEM' }));
    expect(log.lines.map(({ message }) => message)).toEqual(['a connection could not be taken in']);
    await provesNothingUncaught(faults);
  });
});

describe('the output of a server (contract/restarts.md#what-ends-by-itself)', () => {
  /** A server whose standard output fails, once it serves. It ends with the test. */
  async function serverWithout(output: 'room' | 'reader', format: string): Promise<string> {
    const full = output === 'room' ? openSync('/dev/full', 'w') : undefined;
    const port = String(await freePort());
    const child = spawn(process.execPath, [builtServer, 'start', '--config', shippedConfiguration], {
      env: {
        ...processEnvironment,
        ...withoutDocuments,
        HELPER__SERVER__PORT: port,
        HELPER__STORAGE__TYPE: 'memory',
        HELPER__LOGGING__FORMAT: format,
        HELPER__LOGGING__LEVEL: 'debug',
      },
      stdio: ['ignore', full ?? 'pipe', 'ignore'],
    });
    const exited = once(child, 'exit');
    onTestFinished(async () => {
      child.kill('SIGKILL');
      await exited;
    });
    if (full !== undefined) closeSync(full);
    child.stdout?.destroy();
    const url = `http://127.0.0.1:${port}`;
    await vi.waitFor(
      async () => {
        if (child.exitCode !== null) return;
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
      },
      { interval: 100 },
    );
    return url;
  }

  const outputs = (['room', 'reader'] as const).flatMap((output) =>
    ['json', 'pretty'].map((format) => [output, format] as const),
  );

  // proves wire-11-53
  it.skipIf(!existsSync('/dev/full')).each(outputs)(
    'may have no %s: it answers whatever %s lines it cannot write',
    async (output, format) => {
      const url = await serverWithout(output, format);
      for (let turn = 0; turn < 20; turn += 1) {
        const answer = await fetch(`${url}/helper/chat?message=hello`);
        expect(await answer.text()).toContain('completed');
      }
    },
  );
});
