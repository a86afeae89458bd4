import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { StorageFiles } from '../storage-files.ts';
import { settleRestore } from '../backup/settle-restore.ts';
import { codeOf, StorageFault } from './fault-of.ts';

/** The process that uses a folder, as the next process reads it from the file of the owner. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  /** Whether the folder has a database with content. */
  readonly hasDatabase: boolean;
  /** Which start of its machine the process has run in. Empty where that is not known; files of older versions do not have it. */
  readonly boot?: string | undefined;
}

/**
 * Lets only one process use a folder. The lock is SQLite's own lock on an empty file. The operating system releases it when the process
 * ends, however it ends, so no process numbers have to be compared.
 */
export class FolderLock {
  readonly #files: StorageFiles;
  readonly #lock: Database;
  /** Whether an earlier process has had a database here. */
  readonly hadDatabase: boolean;
  /** Whether the machine has not started again since an earlier process was here. */
  readonly isSameBoot: boolean;

  private constructor(files: StorageFiles, lock: Database) {
    this.#files = files;
    this.#lock = lock;
    const owner = readOwner(files);
    this.hadDatabase = owner?.hasDatabase ?? false;
    // Older versions have synced every commit.
    this.isSameBoot = owner?.boot === undefined || owner.boot === bootOfMachine();
  }

  /**
   * Locks the folder, and ends a restore that was killed there. A missing folder is made for the server's own user only.
   * @throws StorageFault FOLDER_IN_USE when another process has it.
   */
  static take(files: StorageFiles): FolderLock {
    mkdirSync(files.folder, { recursive: true, mode: 0o700 });
    createPrivately(files.lock);
    const lock = new SqliteDatabase(files.lock, { timeout: 0 });
    try {
      lock.exec('begin exclusive');
      settleRestore(files);
      return new FolderLock(files, lock);
    } catch (error) {
      lock.close();
      if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error;
      throw new StorageFault('FOLDER_IN_USE', `it is in use by ${describe(readOwner(files))}`);
    }
  }

  /** Writes down who uses the folder. Another process that tries to use it shows this to its operator. */
  sign(hasDatabase: boolean): void {
    const since = new Date().toISOString();
    const owner: Owner = { pid: process.pid, host: hostname(), since, hasDatabase, boot: bootOfMachine() };
    writeFileSync(this.#files.owner, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  }

  release(): void {
    this.#lock.close();
  }
}

/**
 * Makes a file for the server's own user only, if it is missing. SQLite would make a file that everybody may read. The other files of the
 * database take over the mode of the first one.
 */
export function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

/** Linux gives each start of a machine an id. Empty elsewhere. */
function bootOfMachine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function describe(owner: Owner | undefined): string {
  if (owner === undefined) return 'another process';
  return `process ${String(owner.pid)} on ${owner.host}, since ${owner.since}`;
}

function readOwner({ owner }: StorageFiles): Owner | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(owner, 'utf8'));
    if (typeof content !== 'object' || content === null) return undefined;
    const { pid, host, since, hasDatabase, boot } = content as Partial<Record<keyof Owner, unknown>>; // the next line checks the types
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof since !== 'string') return undefined;
    return { pid, host, since, hasDatabase: hasDatabase === true, boot: typeof boot === 'string' ? boot : undefined };
  } catch {
    return undefined; // the file is missing, or was written only half
  }
}
