import type { Kysely } from 'kysely';
import { StepRefused } from '../../../core/ports/step-refused.ts';
import type { ProbedDatabase } from '../sql/probed-database.ts';
import type { ChangeRules, Statement, StatementResult } from '../sql/sql-database.ts';
import type { Tables } from '../sql/tables.ts';
import { StorageLog } from '../storage-log.ts';
import type { StorageObserver } from '../storage-observer.ts';
import { resultsOf, StorageThread } from './storage-thread.ts';
import { sqliteQueries } from './sqlite-queries.ts';
import type { WorkerStart } from './messages.ts';

/**
 * SQLite in worker threads. One thread writes. It also reads, until a read arrives during a write: then a second thread is started, which
 * only reads.
 */
export class EmbeddedDatabase implements ProbedDatabase {
  readonly queries: Kysely<Tables> = sqliteQueries();
  readonly #writer: StorageThread;
  readonly #reader: StorageThread;
  readonly #observer: StorageObserver;
  readonly #log: StorageLog;
  #isReaderAsked = false;

  constructor(start: Omit<WorkerStart, 'role' | 'checkLog'>, observer: StorageObserver) {
    this.#observer = observer;
    this.#log = new StorageLog(observer);
    const { log, metrics } = observer;
    const thread = (role: WorkerStart['role']): StorageThread =>
      new StorageThread({
        start: { ...start, role, checkLog: role === 'writer' },
        onCommit: (commit) => {
          metrics.storageCommitted(commit);
        },
        onCrash: (reason) => {
          metrics.storageFailed('thread');
          log.error({ role, reason }, 'a thread of the storage ended by itself; another one is started');
        },
      });
    this.#writer = thread('writer');
    this.#reader = thread('reader');
  }

  /**
   * Resolves once the folder is locked and the database has the schema of this version.
   * @throws StorageFailed.
   */
  async open(): Promise<void> {
    if (!(await this.#writer.open())) return;
    this.#observer.log.warn({}, 'the database of storage.path is not there any more: a new one was begun');
  }

  /** SQLite makes one change after the other, so every order is kept. */
  async change(
    statements: readonly Statement[],
    { refusal, syncLater = false }: ChangeRules,
  ): Promise<readonly StatementResult[]> {
    const result = await this.#log.told('write', this.#writer.ask({ kind: 'change', statements, syncLater }));
    if (result.kind === 'refused') throw new StepRefused(refusal);
    return result.results;
  }

  async read(statements: readonly Statement[]): Promise<readonly StatementResult[]> {
    return resultsOf(await this.#log.told('read', this.#readingThread().ask({ kind: 'read', statements })));
  }

  /**
   * Writes to the disk, and checks that the files are still there.
   * @throws StorageFailed when nothing can be written.
   */
  async probe(): Promise<void> {
    await this.#log.told('probe', this.#writer.ask({ kind: 'probe' }));
  }

  async close(): Promise<void> {
    // The thread that ends last writes the log into the database. This must be the writer.
    await this.#reader.close();
    await this.#writer.close();
  }

  #readingThread(): StorageThread {
    if (this.#reader.isReady) return this.#reader;
    if (this.#writer.isBusy && !this.#isReaderAsked) {
      this.#isReaderAsked = true;
      this.#reader.open().catch((error: unknown) => {
        this.#observer.log.warn({ error }, 'the storage reads and writes in one thread');
      });
    }
    return this.#writer;
  }
}
