import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStores } from '../../../src/adapters/stores/open-stores.ts';
import { migratePostgres } from '../../../src/adapters/stores/postgres/migrate-postgres.ts';
import { openPostgresStores } from '../../../src/adapters/stores/postgres/open-postgres-stores.ts';
import { PostgresDatabase } from '../../../src/adapters/stores/postgres/postgres-database.ts';
import { readText, storedText } from '../../../src/adapters/stores/postgres/stored-text.ts';
import { migrations } from '../../../src/adapters/stores/sql/migrations.ts';
import { readRows, statement } from '../../../src/adapters/stores/sql/sql-database.ts';
import { StorageFailed } from '../../../src/adapters/stores/storage-failed.ts';
import { newReplicaId } from '../../../src/adapters/bus/replica-id.ts';
import type { LeaseTimes } from '../../../src/adapters/stores/postgres/replica-lease.ts';
import { unobserved } from '../../../src/adapters/stores/storage-observer.ts';
import type { Stores } from '../../../src/adapters/stores/stores.ts';
import {
  hasPostgres,
  ownPostgres,
  databasesOfRun,
  postgresOfRun,
  type PostgresStorage,
} from '../../support/databases/postgres.ts';
import { stallingProxy } from '../../support/databases/stalling-proxy.ts';
import { recordingLogger } from '../../support/quiet.ts';

const newDatabase = databasesOfRun();
const databases = postgresOfRun();

/** A lease that is over at once: everybody may take what the others hold. */
const noLease = { beatMs: 60_000, leaseMs: 0 };

/** The stores of one more server on the same database. */
async function opened(storage: PostgresStorage, lease?: LeaseTimes): Promise<Stores> {
  const path = await mkdtemp(join(tmpdir(), 'replica-'));
  const stores = await openStores({ ...storage, path, replica: newReplicaId(), lease });
  onTestFinished(async () => {
    await stores.journal.close();
    await rm(path, { recursive: true, force: true });
  });
  return stores;
}

const entry = (actionId: string, callId = `call of ${actionId}`) => ({
  ...{ actionId, callId, turnId: 't1', conversationId: 'c1', action: 'cancel_order', argumentsHash: 'f00d' },
  ...{ arguments: '{}', agent: 'coordinator', owner: 'id:ann', requestedAt: 1 },
});

const approve = { answer: 'approved', by: 'user', executing: {} } as const;

/** How many of these promises resolve. */
async function resolved(promises: readonly Promise<unknown>[]): Promise<number> {
  return (await Promise.allSettled(promises)).filter(({ status }) => status === 'fulfilled').length;
}

describe.skipIf(!hasPostgres)('PostgreSQL with several servers (contract/restarts.md#postgresql)', () => {
  // proves configuration-5-56
  it('takes one of many answers to a question, whichever server they come to', async () => {
    const storage = await newDatabase();
    const servers = await Promise.all([opened(storage), opened(storage), opened(storage)]);
    for (let round = 0; round < 20; round += 1) {
      const actionId = `action ${String(round)}`;
      await servers[0].journal.requested(entry(actionId));
      const answers = servers.flatMap(({ journal }) => [journal, journal]);
      expect(await resolved(answers.map((journal) => journal.answered(actionId, approve, 2)))).toBe(1);
    }
  });

  // proves configuration-5-56
  it('approves one of two questions about a call, answered on two servers at the same moment', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([opened(storage), opened(storage)]);
    for (let round = 0; round < 20; round += 1) {
      const call = `call ${String(round)}`;
      const ids = [`first ${String(round)}`, `second ${String(round)}`] as const;
      for (const id of ids) await one.journal.requested(entry(id, call));
      const answers = [one.journal.answered(ids[0], approve, 2), other.journal.answered(ids[1], approve, 2)];
      expect(await resolved(answers)).toBe(1);
    }
  });

  // proves configuration-5-56
  it('lets one server go on with a record, and no server that was taken over from', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([opened(storage, noLease), opened(storage, noLease)]);
    const lines = (first: number) => ({ first, count: 1, text: `line ${String(first)}` });
    await one.turns.create({ turnId: 't1', header: 'h', lines: lines(0) }, 1);
    for (let epoch = 1; epoch < 20; epoch += 1) {
      const appends = one.turns.append({ turnId: 't1', epoch }, lines(epoch));
      const claimed = other.turns.claim('t1');
      const isStored = (await resolved([appends])) === 1;
      const kept = await claimed;
      expect(kept?.batches).toHaveLength(isStored ? epoch + 1 : epoch);
      await expect(one.turns.append({ turnId: 't1', epoch }, lines(99))).rejects.toThrow();
      if (!isStored) await other.turns.append({ turnId: 't1', epoch: epoch + 1 }, lines(epoch));
      await other.turns.shared?.release('t1');
    }
  });

  // proves configuration-5-56
  it('holds no more of a budget than there is, over all servers', async () => {
    const storage = await newDatabase();
    const servers = await Promise.all([opened(storage), opened(storage)]);
    const ids = Array.from({ length: 15 }, (_, index) => String(index));
    const holds = servers.flatMap(({ budgets }, server) =>
      ids.map((id) =>
        budgets.hold(`${String(server)} ${id}`, [{ account: 'all', amount: 10, below: 100, endsAt: 1_000 }], 1),
      ),
    );
    expect((await Promise.all(holds)).filter((isHeld) => isHeld)).toHaveLength(10);
  });

  // proves configuration-5-57
  it('keeps nothing of a user whose data is erased on one server while another server stores it', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([opened(storage), opened(storage)]);
    const bounds = { conversationsPerUser: 100, messagesPerConversation: 100, lengthPerConversation: 100_000 };
    const add = (turnId: string): Promise<void> =>
      one.conversations.add(
        {
          conversation: { id: 'c1', title: 't', startedAt: 1, lastAt: 1 },
          owner: 'id:ann',
          turn: { turnId, text: 'secret', messages: 2 },
        },
        bounds,
      );
    await add('first');
    await Promise.allSettled([
      ...Array.from({ length: 20 }, (_, index) => add(`turn ${String(index)}`)),
      other.conversations.erase('id:ann', [], 2),
    ]);
    await other.conversations.erase('id:ann', [], 2);
    const database = new PostgresDatabase(storage, unobserved);
    onTestFinished(() => database.close());
    expect(await readRows(database, database.queries.selectFrom('conversation_turn').selectAll())).toEqual([]);
  });

  it('leaves no line of a turn that is deleted while it goes on', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([opened(storage), opened(storage)]);
    const lines = (first: number) => ({ first, count: 1, text: `line ${String(first)}` });
    for (let round = 0; round < 20; round += 1) {
      const turnId = `turn ${String(round)}`;
      await one.turns.create({ turnId, header: 'h', lines: lines(0) }, 1);
      const appends = Array.from({ length: 6 }, (_, index) => one.turns.append({ turnId, epoch: 1 }, lines(index + 1)));
      await Promise.allSettled([...appends, other.turns.delete([turnId])]);
    }
    const database = new PostgresDatabase(storage, unobserved);
    onTestFinished(() => database.close());
    expect(await readRows(database, database.queries.selectFrom('turn_line').selectAll())).toEqual([]);
  });

  it('counts what is held while old windows of budgets are deleted (contract/limits.md#budgets)', async () => {
    const storage = await newDatabase();
    const [one, other] = await Promise.all([opened(storage), opened(storage)]);
    for (let round = 0; round < 20; round += 1) {
      const account = `account ${String(round)}`;
      const hold = (id: string, endsAt: number, now: number) =>
        one.budgets.hold(`${id} of ${account}`, [{ account, amount: 10, below: 100, endsAt }], now);
      await hold('old', 100, 1);
      await Promise.all([hold('new', 9_000, 200), other.budgets.purge(200)]);
      expect(await one.budgets.uses([account], 200)).toMatchObject([{ account, endsAt: 9_000 }]);
    }
  });

  // proves configuration-5-58
  it('migrates once when servers start at the same moment', async () => {
    const storage = await newDatabase();
    await Promise.all(Array.from({ length: 4 }, () => migratePostgres(storage.url, migrations)));
    const database = new PostgresDatabase(storage, unobserved);
    onTestFinished(() => database.close());
    const versions = await readRows(database, database.queries.selectFrom('schema_migration').select('version'));
    expect(versions).toHaveLength(migrations.length);
  });

  // proves configuration-5-58
  it('refuses a database of a newer version', async () => {
    const storage = await newDatabase();
    await migratePostgres(storage.url, [...migrations, () => []]);
    await expect(opened(storage)).rejects.toThrow(
      /^storage\.url: the database cannot be used: the database was written by a newer version.*Start that newer version/,
    );
  });

  it('keeps what is stored in one step apart from what is refused in it', async () => {
    const storage = await newDatabase();
    const { journal, turns } = await opened(storage);
    await turns.create({ turnId: 't1', header: 'h', lines: { first: 0, count: 1, text: 'x' } }, 1);
    await expect(journal.requested(entry('a1'), { turnId: 't1', epoch: 2, lines: 1 })).rejects.toThrow('a1');
    expect(await journal.find('a1')).toBeUndefined();
    await journal.requested(entry('a1'), { turnId: 't1', epoch: 1, lines: 1 });
    expect(await journal.find('a1')).toMatchObject({ state: 'requested' });
  });

  // proves configuration-5-62
  it('stores every text, whatever its characters are', async () => {
    const storage = await newDatabase();
    const { journal } = await opened(storage);
    const odd = 'a\0b\u{10FFFE}0\u{10FFFE}';
    await journal.requested({ ...entry('a1'), owner: odd });
    expect(await journal.find('a1')).toMatchObject({ owner: odd });
    expect(await journal.rename(odd, 'gone')).toBe(1);
    for (const text of ['', '\0', '\u{10FFFE}', '\u{10FFFE}0', odd]) expect(readText(storedText(text))).toBe(text);
  });
});

describe.skipIf(!hasPostgres)('PostgreSQL that fails (contract/restarts.md#postgresql)', () => {
  it('fails what is under way, and works again once the database is back', async () => {
    const server = await ownPostgres();
    const path = await mkdtemp(join(tmpdir(), 'replica-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    const log = recordingLogger();
    const url = await server.newDatabase();
    const stores = await openStores({ type: 'postgres', path, url, maxConnections: 4 }, { ...unobserved, log });
    const { journal } = stores;
    onTestFinished(() => journal.close());
    await journal.requested(entry('a1'));
    await server.stop();
    await expect(journal.answered('a1', approve, 2)).rejects.toThrow(StorageFailed);
    await expect(journal.find('a1')).rejects.toThrow(StorageFailed);
    expect(await stores.isWritable()).toBe(false);
    await server.run();
    await expect.poll(() => stores.isWritable()).toBe(true);
    expect(await journal.find('a1')).toMatchObject({ state: 'requested' });
    await journal.answered('a1', approve, 2);
    expect(log.lines.map(({ message }) => message)).toEqual(['the storage failed', 'the storage works again']);
  });

  // proves wire-11-57
  it.each(['confirmation', 'turn', 'turn_line'])(
    'takes no question without its table %s, and says so',
    async (table) => {
      const postgres = await databases();
      const storage = await newDatabase();
      const stores = await openStores(storage);
      onTestFinished(() => stores.journal.close());
      expect(await stores.isWritable()).toBe(true);
      await postgres.query(storage.url, `alter table ${table} rename to away`);
      await expect.poll(() => stores.isWritable()).toBe(false);
      await postgres.query(storage.url, `alter table away rename to ${table}`);
      await expect.poll(() => stores.isWritable()).toBe(true);
      for (const each of ['confirmation', 'turn', 'turn_line'])
        expect(await postgres.query(storage.url, `select 1 from ${each}`)).toEqual([]);
    },
  );

  // proves configuration-5-60
  it('cannot be written while the server takes no changes', async () => {
    const server = await ownPostgres();
    const url = await server.newDatabase();
    await migratePostgres(url, migrations);
    await server.stop();
    await server.run(['default_transaction_read_only=on']);
    const database = new PostgresDatabase({ url, maxConnections: 2 }, unobserved);
    onTestFinished(() => database.close());
    await expect(database.probe()).rejects.toMatchObject({ code: '25006' });
    const change = statement(database.queries.deleteFrom('turn'));
    await expect(database.change([change], { refusal: '', order: 'x' })).rejects.toMatchObject({ code: '25006' });
  });

  // proves configuration-5-60
  it('answers within seconds when the network swallows everything, and is left in time', async () => {
    const storage = await newDatabase();
    const { url, stall } = await stallingProxy(storage, '&query_timeout=500');
    const { journal } = await openStores({ ...storage, url });
    await journal.requested(entry('a1'));
    stall();
    await expect(journal.find('a1')).rejects.toThrow(StorageFailed);
    await journal.close();
  });

  it.each([
    ['postgres://helper@127.0.0.1:1/helper', 'ECONNREFUSED'],
    ['postgres://helper:hunter2@no.such.host.invalid/helper', 'Correct the host name'],
  ])('says what to do about %s, and no password', async (url, says) => {
    const path = await mkdtemp(join(tmpdir(), 'replica-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    const message = await openPostgresStores({ path, url, maxConnections: 2 }, unobserved, {
      databaseMs: 0,
      otherServerMs: 0,
    }).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(message).toContain(says);
    expect(message).not.toContain('hunter2');
  });
});

describe.skipIf(!hasPostgres)('the database of one server (contract/restarts.md#postgresql)', () => {
  // proves configuration-5-63
  it("is another server's only once its own server has left it", async () => {
    const storage = await newDatabase();
    const first = await openStores(storage);
    const path = await mkdtemp(join(tmpdir(), 'replica-'));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    await expect(
      openPostgresStores({ ...storage, path }, unobserved, { databaseMs: 0, otherServerMs: 0 }),
    ).rejects.toThrow(
      'storage.url: the database cannot be used: another server uses it. Stop that one, or give each server its own database.',
    );
    const log = recordingLogger();
    const waiting = openPostgresStores({ ...storage, path }, { ...unobserved, log });
    await vi.waitFor(() => expect(log.lines).toHaveLength(1));
    await first.journal.requested(entry('a1'));
    await first.journal.close();
    const second = await waiting;
    onTestFinished(() => second.journal.close());
    expect(await second.journal.find('a1')).toMatchObject({ state: 'requested' });
  });

  it.each([
    // proves configuration-5-63
    ['takes no change of a server that has lost it to another one', {}],
    // proves configuration-5-97
    [
      'takes no change of a replica that has lost it to a server alone, until that one is gone',
      { replica: newReplicaId() },
    ],
  ])('%s', async (_title, use) => {
    const { url } = await newDatabase();
    const { stores, log } = await openedOn(url, use);
    await stores.journal.requested(entry('a1'));
    // Another server takes the lock at the moment at which its connection is cut.
    const cut = query(
      url,
      `select pg_terminate_backend(pid), pg_advisory_lock(classid::bigint << 32 | objid::bigint), pg_sleep(3) from (${locks}) as held`,
    );
    const told = (text: string): boolean => log.lines.some(({ message }) => message.includes(text));
    await expect.poll(() => told('this one changes nothing any more')).toBe(true);
    await expect(stores.journal.answered('a1', approve, 2)).rejects.toThrow(StorageFailed);
    expect(await stores.isWritable()).toBe(false);
    await cut;
    await expect.poll(() => stores.isWritable()).toBe(true);
    expect(told('this server changes it again')).toBe(true);
    await stores.journal.answered('a1', approve, 2);
  });

  // proves configuration-5-97
  it('goes on with a replica whose connection is lost, where no server alone has taken it', async () => {
    const { url } = await newDatabase();
    const { stores, log } = await openedOn(url, { replica: newReplicaId() });
    for (let round = 0; round < 5; round += 1) {
      await query(url, `select pg_terminate_backend(pid) from (${locks}) as held`);
      await stores.journal.requested(entry(`action ${String(round)}`));
    }
    expect(log.lines).toEqual([]);
  });
});

/** The locks that keep servers out of this database, one row for each server that has one. */
const locks =
  "select * from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())";

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The stores of a server on this database, and its log. */
async function openedOn(
  url: string,
  use: { readonly replica?: string },
): Promise<{ readonly stores: Stores; readonly log: ReturnType<typeof recordingLogger> }> {
  const path = await mkdtemp(join(tmpdir(), 'replica-'));
  const log = recordingLogger();
  const stores = await openStores({ type: 'postgres', url, path, maxConnections: 2, ...use }, { ...unobserved, log });
  onTestFinished(async () => {
    await stores.journal.close();
    await rm(path, { recursive: true, force: true });
  });
  return { stores, log };
}
