import { statfsSync, statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Answer, FromWorker, Request, WorkerStart } from '../messages.ts';
import { type StorageFiles, storageFiles } from '../storage-files.ts';
import { codeOf, faultOf, StorageFault } from './fault-of.ts';
import { FolderLock } from './folder-lock.ts';
import { migrate } from './migrate.ts';
import { checkWhatIsThere, hasLog, openWriter } from './open-connection.ts';
import { answerRead } from './reader.ts';
import { giveBackPages } from './give-back-pages.ts';
import { type ChangeOutcome, runBatch } from './run-batch.ts';
import { scrubFiles } from './scrub-files.ts';
import { Scrubbing } from './scrubbing.ts';
import { WatchedFiles } from './watched-files.ts';

/** The most changes of one commit. Further changes wait for the next commit, so that the first ones are not held up without end. */
const largestBatch = 1_000;

/** With less free space than this, the next checkpoint may fail. The probe reports it before that happens. */
const leastFreeBytes = 256 * 1024;

/** Milliseconds after which what was committed without a sync is synced at the latest. */
const syncWithinMs = 2_000;

/** Milliseconds without a request before pages are given back, and milliseconds between two steps of this. */
const idleMs = 500;
const stepMs = 20;

type Change = Extract<Request, { kind: 'change' }>;

/** The files that are open while the writer works. */
interface OpenFiles {
  readonly connection: Database;
  readonly watched: WatchedFiles;
}

/**
 * Writes to the database. All changes that arrive while it is busy become one transaction with one sync of the disk; those that may be
 * synced later have a transaction of their own, so that they never wait for a sync. Answers go out after the commit. After two faults of the disk in a row, the next request opens the files again.
 */
export class Writer {
  readonly #files: StorageFiles;
  readonly #start: WorkerStart;
  readonly #tell: (message: FromWorker) => void;
  #lock: FolderLock | undefined;
  #open: OpenFiles | undefined;
  /** The database that this process opened first. Another file never takes its place. */
  #database: { readonly ino: number; readonly dev: number } | undefined;
  #waiting: Request[] = [];
  #isAwake = false;
  #probes = 0;
  /** Faults of the disk in a row. */
  #faults = 0;
  #idle: NodeJS.Timeout | undefined;
  /** Whether a commit was not synced that may be found all the same. */
  #isUnsure = false;
  /** Runs while something was committed and not synced. */
  #unsynced: NodeJS.Timeout | undefined;
  readonly #scrubbing = new Scrubbing(() => this.#write(scrubFiles));

  constructor(start: WorkerStart, tell: (message: FromWorker) => void) {
    this.#start = start;
    this.#files = storageFiles(start.folder);
    this.#tell = tell;
  }

  /**
   * Locks the folder, opens the database and migrates it. Returns whether a new database was begun where an earlier process had one.
   * @throws what prevents this. The call may be repeated.
   */
  open(): boolean {
    this.#lock ??= FolderLock.take(this.#files);
    const isFirst = this.#database === undefined;
    const isNew = isFirst && this.#start.checkLog && checkWhatIsThere(this.#files, this.#lock);
    this.#checkIdentity();
    this.#lock.sign(this.#lock.hadDatabase);
    if (isFirst && hasLog(this.#files)) this.#scrubbing.due();
    const connection = openWriter(this.#files);
    try {
      migrate(connection, this.#start.migrations);
      this.#open = { connection, watched: new WatchedFiles(this.#files) };
      this.#database = statSync(this.#files.database);
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#lock.sign(true);
    return isNew && this.#lock.hadDatabase;
  }

  take(request: Request): void {
    this.#waiting.push(request);
    this.#wakeUp();
  }

  /** Answers all requests and closes the files. The lock is released last. */
  close(): void {
    while (this.#waiting.length > 0) this.#work();
    clearTimeout(this.#idle);
    clearTimeout(this.#unsynced);
    if (this.#open !== undefined) this.#scrubbing.close();
    this.#open?.connection.close();
    this.#lock?.release();
  }

  #wakeUp(): void {
    if (this.#isAwake) return;
    this.#isAwake = true;
    // When this runs, everything that has arrived so far is in the queue.
    setImmediate(() => {
      this.#isAwake = false;
      this.#work();
    });
  }

  #work(): void {
    const requests = this.#waiting.splice(0, this.#atOnce());
    const changes = requests.filter((request) => request.kind === 'change');
    if (changes.length > 0) this.#tell(this.#commit(changes));
    // Reads are answered after the changes, so that each of them sees everything that was acknowledged.
    const answers = requests.flatMap((request) => (request.kind === 'change' ? [] : [this.#answer(request)]));
    if (answers.length > 0) this.#tell({ kind: 'answers', answers });
    if (this.#waiting.length > 0) this.#wakeUp();
    else this.#tidyIn(idleMs);
  }

  /** How many requests are taken at once: changes that are synced later share no commit with others. */
  #atOnce(): number {
    const isLater = (request: Request): boolean => request.kind === 'change' && request.syncLater === true;
    const first = this.#waiting.find(({ kind }) => kind === 'change');
    const isFirstLater = first !== undefined && isLater(first);
    const other = this.#waiting.findIndex((request) => request.kind === 'change' && isLater(request) !== isFirstLater);
    return other < 0 ? largestBatch : Math.min(other, largestBatch);
  }

  #commit(changes: readonly Change[]): FromWorker {
    const began = performance.now();
    try {
      // A change that is made again, and is there already, would sync nothing.
      if (this.#isUnsure) this.#touch();
      const statements = changes.map((change) => change.statements);
      const outcomes =
        changes[0]?.syncLater === true ? this.#commitUnsynced(statements) : this.#commitSynced(statements);
      if (changes.some(({ statements: made }, index) => hasErased(made, outcomes[index]))) this.#scrubbing.due();
      const answers = changes.map(({ id }, index) => answerOf(id, outcomes[index]));
      const commit = { changes: changes.length, durationMs: performance.now() - began };
      return { kind: 'answers', answers, commit };
    } catch (error) {
      const fault = faultOf(error);
      return { kind: 'answers', answers: changes.map(({ id }) => ({ id, kind: 'failed', fault })) };
    }
  }

  #commitSynced(statements: readonly Change['statements'][]): readonly ChangeOutcome[] {
    const outcomes = this.#write((connection) => runBatch(connection, statements));
    // A commit that has changed something has synced the whole log.
    if (outcomes.some((outcome) => outcome.kind === 'done' && outcome.results.some(({ changes }) => changes > 0))) {
      clearTimeout(this.#unsynced);
      this.#unsynced = undefined;
    }
    return outcomes;
  }

  #commitUnsynced(statements: readonly Change['statements'][]): readonly ChangeOutcome[] {
    this.#unsynced ??= setTimeout(() => {
      this.#unsynced = undefined;
      try {
        this.#probe();
      } catch {
        // The next change meets the same fault and tells it.
      }
    }, syncWithinMs);
    return this.#write((connection) => {
      connection.pragma('synchronous = NORMAL');
      try {
        return runBatch(connection, statements);
      } finally {
        connection.pragma('synchronous = FULL');
      }
    });
  }

  #answer(request: Exclude<Request, Change>): Answer {
    const { id } = request;
    try {
      if (request.kind === 'read') return answerRead(this.#opened().connection, id, request.statements);
      this.#probe();
      return { id, kind: 'done', results: [] };
    } catch (error) {
      return { id, kind: 'failed', fault: faultOf(error) };
    }
  }

  /** Writes a page, and so syncs the log. */
  #touch(): void {
    this.#probes = (this.#probes + 1) % 1_000_000;
    this.#write((connection) => {
      connection.exec(`pragma user_version = ${String(this.#probes)}`);
    });
    this.#isUnsure = false;
  }

  /** Writes a page, as every commit does, and checks that there is room for the next commits. */
  #probe(): void {
    this.#touch();
    const { bavail, bsize } = statfsSync(this.#files.folder);
    if (bavail * bsize < leastFreeBytes) throw new StorageFault('ENOSPC', 'the disk is full');
  }

  /** Writes to the files that were opened, and to no others. */
  #write<Value>(write: (connection: Database) => Value): Value {
    const { connection, watched } = this.#opened();
    watched.check();
    try {
      const value = write(connection);
      this.#faults = 0;
      return value;
    } catch (error) {
      if (isOfTheDisk(error)) this.#distrust(connection);
      throw error;
    }
  }

  #opened(): OpenFiles {
    if (this.#open === undefined) this.open();
    if (this.#open === undefined) throw new StorageFault('', 'the database is closed');
    return this.#open;
  }

  /** A single fault may pass. After a second fault in a row the files are opened again. */
  #distrust(connection: Database): void {
    this.#isUnsure = true;
    this.#faults += 1;
    if (this.#faults < 2) return;
    this.#faults = 0;
    this.#open = undefined;
    connection.close();
  }

  /** @throws StorageFault when another file of the same name has replaced the database that this process has begun with. */
  #checkIdentity(): void {
    if (this.#database === undefined) return;
    const now = statSync(this.#files.database, { throwIfNoEntry: false });
    if (now?.ino === this.#database.ino && now.dev === this.#database.dev) return;
    throw new StorageFault('STORAGE_MOVED', `${this.#files.database} was deleted or replaced while it was in use`);
  }

  /** Gives pages back to the disk while nobody asks for anything. */
  #tidyIn(delayMs: number): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#open === undefined || this.#waiting.length > 0) return;
      try {
        if (this.#write(giveBackPages)) this.#tidyIn(stepMs);
      } catch {
        // The next change meets the same fault and tells it.
      }
    }, delayMs);
  }
}

/** Whether the open files may be of no use any more after this fault. */
function isOfTheDisk(error: unknown): boolean {
  const kinds = [
    'SQLITE_IOERR',
    'SQLITE_CORRUPT',
    'SQLITE_NOTADB',
    'SQLITE_CANTOPEN',
    'SQLITE_READONLY',
    'SQLITE_PROTOCOL',
  ];
  return kinds.some((kind) => codeOf(error).startsWith(kind));
}

/** Whether a change has removed something that a user has erased. */
function hasErased(statements: Change['statements'], outcome: ChangeOutcome | undefined): boolean {
  if (outcome?.kind !== 'done') return false;
  return statements.some(({ erases }, index) => erases === true && (outcome.results[index]?.changes ?? 0) > 0);
}

function answerOf(id: number, outcome: ChangeOutcome | undefined): Answer {
  switch (outcome?.kind) {
    case 'done':
      return { id, kind: 'done', results: outcome.results };
    case 'refused':
      return { id, kind: 'refused' };
    case 'failed':
      return { id, kind: 'failed', fault: { code: 'SQLITE_ERROR', reason: outcome.reason } };
    case undefined:
      return { id, kind: 'failed', fault: { code: '', reason: 'the change was not made' } };
  }
}
