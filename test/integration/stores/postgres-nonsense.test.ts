import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { migratePostgres } from '../../../src/adapters/stores/postgres/migrate-postgres.ts';
import { type ConnectionLimits, PostgresPool } from '../../../src/adapters/stores/postgres/postgres-pool.ts';
import { ServerLock } from '../../../src/adapters/stores/postgres/server-lock.ts';
import { migrations } from '../../../src/adapters/stores/sql/migrations.ts';
import { unobserved } from '../../../src/adapters/stores/storage-observer.ts';
import { endingProxy, type EndingProxy } from '../../support/databases/ending-proxy.ts';
import { hasPostgres, postgresOfRun } from '../../support/databases/postgres.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { openSse } from '../../support/sse-client.ts';
import { uncaughtFaults } from '../../support/uncaught-faults.ts';

const postgres = postgresOfRun();

/** A message of PostgreSQL: its kind, its content, and the length that it claims, which is its own unless said. */
function message(kind: string, content: string | Buffer, claimed?: number): Buffer {
  const body = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeUInt32BE(claimed ?? body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const nonsense: readonly (readonly [string, Buffer])[] = [
  ['bytes that are no message', Buffer.from('\0\u00FF\0garbageEEEE\0\0\0', 'latin1')],
  ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')],
  ['an answer of Redis', Buffer.from('-ERR unknown command\r\n')],
  ['a notice whose text does not end', message('N', 'SWARNING')],
  ['a notice whose texts do not end', message('N', 'SWARNING\0Mhello\0')],
  ['a notice without anything', message('N', '')],
  ['a fault whose texts do not end', message('E', 'SERROR\0Mhello\0')],
  ['a message of a length below its own', message('Z', 'I', 3)],
  ['a message of no length', message('C', 'SELECT 1\0', 0)],
  ['a message of the greatest length', message('D', '', 0xffff_ffff)],
  ['a row of 2 GB', message('D', '', 0x7fff_ffff)],
  ['a short message of 1 MB', message('C', '', 1_000_000)],
  ['a row whose rest does not come', message('D', 'abc', 50_000_000)],
  ['a row of fewer than no values', message('D', Buffer.from([0xff, 0xff]))],
  ['a row without a number of values', message('D', Buffer.from([0]))],
  ['a row with a value beyond its end', message('D', Buffer.from([0, 1, 0, 0, 0, 9, 0x61]))],
  ['a row with a value of a length below none', message('D', Buffer.from([0, 1, 0xff, 0xff, 0xff, 0x9c]))],
  ['a row with more than its values', message('D', Buffer.from([0, 1, 0, 0, 0, 1, 0x61, 0x62]))],
  ['a description of columns that are not there', message('T', Buffer.from([0x7f, 0xff]))],
  ['a way to sign in that there is not', message('R', Buffer.from([0, 0, 0, 77]))],
];

/** A connection that does not answer is dead soon, so that the tests need not wait. */
const limits: ConnectionLimits = { connectMs: 1_000, statementMs: 5_000, answerMs: 1_000 };

/** The address of a server on TCP that says this to each client, once the client has said something. */
async function listenerThatSays(bytes: Buffer): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on TCP');
  return `postgres://user@127.0.0.1:${String(address.port)}/helper`;
}

describe.skipIf(!hasPostgres)('a database that answers nonsense (contract/restarts.md#postgresql)', () => {
  let made: Promise<string> | undefined;

  /** All tests use one database. */
  async function throughProxy(): Promise<EndingProxy> {
    return endingProxy(await (made ??= postgres().then((databases) => databases.newDatabase())));
  }

  function poolAt(url: string): { readonly ask: () => Promise<unknown> } {
    const pool = new PostgresPool({ url, maxConnections: 2, limits });
    onTestFinished(() => pool.close());
    return { ask: () => pool.use(async (connection) => (await connection.query<object>('select 7 as seven')).rows) };
  }

  // proves wire-11-60
  it.each(nonsense)('loses its connection, in place of an answer: %s', async (_what, bytes) => {
    const faults = uncaughtFaults();
    const proxy = await throughProxy();
    const { ask } = poolAt(proxy.url);
    await ask();
    proxy.instead = bytes;
    await expect(ask()).rejects.toThrow();
    await vi.waitFor(() => {
      expect(proxy.connections()).toBe(0);
    });
    proxy.instead = undefined;
    expect(await ask()).toEqual([{ seven: 7 }]);
    expect(faults).toEqual([]);
  });

  // proves wire-11-60
  it.each(nonsense)('loses its connection while nobody uses it: %s', async (_what, bytes) => {
    const faults = uncaughtFaults();
    const proxy = await throughProxy();
    const { ask } = poolAt(proxy.url);
    await ask();
    proxy.say(bytes);
    await vi.waitFor(() => {
      expect(proxy.connections()).toBe(0);
    });
    expect(await ask()).toEqual([{ seven: 7 }]);
    expect(faults).toEqual([]);
  });

  // proves wire-11-60
  it.each(nonsense)('gets no connection as it opens: %s', async (_what, bytes) => {
    const faults = uncaughtFaults();
    const { ask } = poolAt(await listenerThatSays(bytes));
    await expect(ask()).rejects.toThrow();
    await expect(ask()).rejects.toThrow();
    expect(faults).toEqual([]);
  });

  // proves wire-11-60
  it('is neither a lock of the database nor a migration', async () => {
    const url = await listenerThatSays(message('N', 'SWARNING\0'));
    const lock = new ServerLock(url, unobserved);
    onTestFinished(() => lock.release());
    await expect(lock.take(0)).rejects.toThrow('no message of PostgreSQL');
    await expect(migratePostgres(url, migrations)).rejects.toThrow('no message of PostgreSQL');
  });

  // proves wire-11-60
  it('is told from what PostgreSQL says unasked, which counts for nothing', async () => {
    const proxy = await throughProxy();
    const { ask } = poolAt(proxy.url);
    await ask();
    proxy.say(message('N', 'SWARNING\0C01000\0Mhello\0\0'));
    proxy.say(message('S', 'TimeZone\0UTC\0'));
    expect(await ask()).toEqual([{ seven: 7 }]);
    expect(proxy.connections()).toBe(1);
  });

  // proves wire-11-60
  it('is told from long rows and many rows, in pieces of any size', async () => {
    const proxy = await throughProxy();
    const pool = new PostgresPool({ url: proxy.url, maxConnections: 1 });
    onTestFinished(() => pool.close());
    const { rows } = await pool.use((connection) =>
      connection.query<{ at: number; text: string | null }>(
        `select at, case when at % 3 = 0 then null else repeat('ä', at * 9) end as text from generate_series(0, 1500) as at`,
      ),
    );
    expect(rows).toHaveLength(1_501);
    expect(rows.every(({ at, text }) => text === (at % 3 === 0 ? null : 'ä'.repeat(at * 9)))).toBe(true);
  });

  // proves wire-11-60
  it('costs a server no more than its connections: it answers meanwhile, and is ready again by itself', async () => {
    const proxy = await throughProxy();
    const folder = mkdtempSync(join(tmpdir(), 'helper-nonsense-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const server = startServerProcess({
      folder,
      environment: { HELPER__STORAGE__TYPE: 'postgres', HELPER__STORAGE__URL: proxy.url },
    });
    const url = await server.url;
    for (const [, bytes] of nonsense) {
      proxy.say(bytes);
      proxy.instead = bytes;
      const asked = openSse(`${url}/helper/chat?message=${encodeURIComponent('cancel order 1002')}`);
      await vi.waitFor(() => {
        expect(proxy.connections()).toBe(0);
      });
      proxy.instead = undefined;
      expect((await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })).status).toBe(200);
      (await asked).close();
    }
    await vi.waitFor(async () => {
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    });
    expect(server.printed()).not.toContain('Unhandled');
  });
});
