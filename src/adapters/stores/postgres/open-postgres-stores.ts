import { setTimeout as delay } from 'node:timers/promises';
import { describeStorageFault } from '../embedded/describe-storage-fault.ts';
import { storageFiles } from '../embedded/storage-files.ts';
import { FolderLock } from '../embedded/worker/folder-lock.ts';
import { migrations } from '../sql/migrations.ts';
import { storesOn } from '../sql/stores-on.ts';
import type { StorageObserver } from '../storage-observer.ts';
import type { Stores } from '../stores.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { PostgresDatabase } from './postgres-database.ts';
import { codeOf, describePostgresFault } from './postgres-faults.ts';
import type { PostgresAddress } from './postgres-pool.ts';

/** Milliseconds that a start waits for a database that is about to start too. */
const startWaitMs = 30_000;

/** Milliseconds between two attempts. */
const againAfterMs = 500;

/**
 * The stores in a database of PostgreSQL (contract/restarts.md#postgresql). A database that starts at the same time is waited for, at most
 * `waitMs` milliseconds. `path` is the folder
 * of what belongs to this server alone. It is locked until the stores are closed.
 * @throws Error with the code STORAGE_UNUSABLE that says what to do when the folder or the database cannot be used.
 */
export async function openPostgresStores(
  { path, ...address }: PostgresAddress & { readonly path: string },
  observer: StorageObserver,
  waitMs = startWaitMs,
): Promise<Stores> {
  const lock = lockFolder(path);
  try {
    await migrated(address.url, observer, waitMs);
  } catch (error) {
    lock.release();
    throw unusable(describePostgresFault(error), error);
  }
  const database = new PostgresDatabase(address, observer, () => lock.release());
  return storesOn(database);
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

async function migrated(url: string, { log }: StorageObserver, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await migratePostgres(url, migrations);
      return;
    } catch (error) {
      if (!mayStart(error) || performance.now() > until) throw error;
      if (attempt === 1) log.warn({ error }, 'the database of storage.url does not answer yet: it is waited for');
      await delay(againAfterMs);
    }
  }
}

/** Whether the database may be one that has not finished its start. */
function mayStart(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOENT', 'EAI_AGAIN', '57P03'].includes(codeOf(error));
}
