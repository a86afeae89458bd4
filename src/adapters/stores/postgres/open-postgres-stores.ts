import { setTimeout as delay } from 'node:timers/promises';
import { describeStorageFault } from '../embedded/describe-storage-fault.ts';
import { storageFiles } from '../embedded/storage-files.ts';
import { codeOf } from '../embedded/worker/fault-of.ts';
import { FolderLock } from '../embedded/worker/folder-lock.ts';
import type { Holder } from '../sql/holder.ts';
import { migrations } from '../sql/migrations.ts';
import { storesOn } from '../sql/stores-on.ts';
import { type StorageObserver, unobserved } from '../storage-observer.ts';
import type { Stores } from '../stores.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { PostgresPassageVectors } from './postgres-passage-vectors.ts';
import { describePostgresFault } from './postgres-faults.ts';
import type { PostgresAddress } from './postgres-pool.ts';
import { type LeaseTimes, limitsOfLease, ReplicaLease } from './replica-lease.ts';
import { ServerLock } from './server-lock.ts';

/** How long a start waits, in milliseconds. */
export interface StartWaits {
  /** For a database that starts at the same time. */
  readonly databaseMs: number;
  /** For another server that uses the database. It may be letting its turns finish. */
  readonly otherServerMs: number;
}

/** The startup probe of the chart leaves time for these waits. */
export const defaultWaits: StartWaits = { databaseMs: 30_000, otherServerMs: 60_000 };

/** Milliseconds between two attempts to reach the database. */
const againAfterMs = 500;

/** How a database is opened. */
export interface PostgresOptions extends PostgresAddress {
  /** The folder of what belongs to this server alone. It is locked until the stores are closed. */
  readonly path: string;
  /**
   * The id of this server, another one at each start. Other servers that have an id too use the database at the same time. Left out, the
   * database belongs to one server at a time.
   */
  readonly replica?: string | undefined;
  /** How long a silent server counts as living. Left out: 15 s. */
  readonly lease?: LeaseTimes | undefined;
}

/**
 * The stores in a database of PostgreSQL (contract/restarts.md#postgresql).
 * @throws Error with the code STORAGE_UNUSABLE that says what to do when the folder or the database cannot be used.
 */
export async function openPostgresStores(
  { path, replica, lease: times, ...address }: PostgresOptions,
  observer: StorageObserver,
  waits = defaultWaits,
): Promise<Stores> {
  const folder = lockFolder(path);
  const lock = new ServerLock(address.url, observer, replica === undefined ? 'alone' : 'together');
  const release = async (): Promise<void> => {
    await lock.release();
    folder.release();
  };
  const isHeld = (): boolean => lock.mayChange;
  try {
    await onceThere(waits.databaseMs, observer, async () => {
      await lock.take(waits.otherServerMs);
      await migratePostgres(address.url, migrations);
    });
    if (replica === undefined) return openedOn(new PostgresDatabase(address, observer, { isHeld, release }));
    // A connection of its own: what the stores have to do must not keep this server from saying that it lives.
    const addressOfLease = { ...address, maxConnections: 1, limits: limitsOfLease };
    const ofLease = new PostgresDatabase(addressOfLease, unobserved, { isHeld, release: nothing });
    const lease = new ReplicaLease(ofLease, { replica, log: observer.log, times });
    const end = async (): Promise<void> => {
      await lease.release();
      await ofLease.close();
    };
    await lease.begin();
    return openedOn(new PostgresDatabase(address, observer, { isHeld, release, end }), lease);
  } catch (error) {
    await release();
    throw unusable(describePostgresFault(error), error);
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

/** The folder of a server need not last, so the vectors of documents are kept in the database. */
function openedOn(database: PostgresDatabase, holder?: Holder): Stores {
  return { ...storesOn(database, holder), passageVectors: new PostgresPassageVectors(database) };
}

function lockFolder(path: string): FolderLock {
  const files = storageFiles(path);
  try {
    const lock = FolderLock.take(files);
    lock.sign(lock.hadDatabase);
    return lock;
  } catch (error) {
    throw unusable(describeStorageFault(error, files), error);
  }
}

function unusable(sentence: string, cause: unknown): Error {
  return Object.assign(new Error(sentence, { cause }), { code: 'STORAGE_UNUSABLE' });
}

/** Does the work, again and again for `waitMs` milliseconds while the database looks as if it had not finished its start. */
async function onceThere(waitMs: number, { log }: StorageObserver, work: () => Promise<void>): Promise<void> {
  const until = performance.now() + waitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!mayStart(error) || performance.now() > until) throw error;
      if (attempt === 1) log.warn({ error }, 'the database of storage.url does not answer yet: it is waited for');
      await delay(againAfterMs);
    }
  }
}

/** Whether the database may be one that has not finished its start. A missing file of a certificate has the code of a missing socket. */
function mayStart(error: unknown): boolean {
  const isSocket = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  const code = codeOf(error);
  return ['ECONNREFUSED', 'EAI_AGAIN', '57P03'].includes(code) || (code === 'ENOENT' && isSocket);
}
