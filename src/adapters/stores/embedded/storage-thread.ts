import { Worker } from 'node:worker_threads';
import type { Statement, StatementResult } from '../sql/sql-database.ts';
import { StorageFailed } from '../storage-failed.ts';
import type { Answer, Fault, FromWorker, Request, ToWorker, WorkerStart } from './messages.ts';

/** A request to a thread, without its number. */
export type Asked =
  | { readonly kind: 'change'; readonly statements: readonly Statement[]; readonly syncLater?: boolean }
  | { readonly kind: 'read'; readonly statements: readonly Statement[] }
  | { readonly kind: 'probe' };

/** The outcome of a request that has not failed. */
export type Result = Exclude<Answer, { readonly kind: 'failed' }>;

export interface StorageThreadOptions {
  readonly start: WorkerStart;
  /** Called after each commit. */
  readonly onCommit: (commit: { readonly changes: number; readonly durationMs: number }) => void;
  /** Called after the thread has ended by itself. Another thread begins with the next request at the latest. */
  readonly onCrash: (reason: string) => void;
  /** The program of the thread. Left out: the storage's own program. */
  readonly program?: URL;
}

/** A request without an answer is given up after this many milliseconds, because the disk may hang. */
const answerWithinMs = 10_000;
const closeWithinMs = 10_000;

/** The most requests that wait for the disk. Further ones are refused at once. */
const mostUnderWay = 20_000;
const mostCharactersUnderWay = 64 * 1024 * 1024;

interface UnderWay {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: StorageFailed) => void;
  readonly characters: number;
  /** When the request is given up, on the clock of `performance.now`. */
  readonly dueAt: number;
}

/**
 * A worker thread with SQLite. Requests are answered in the order in which they were made. When the thread ends by itself, its requests are
 * rejected and a new thread is started.
 */
export class StorageThread {
  readonly #options: StorageThreadOptions;
  readonly #underWay = new Map<number, UnderWay>();
  #worker: Worker | undefined;
  #isReady = false;
  #isClosed = false;
  #lastId = 0;
  #characters = 0;
  #watch: NodeJS.Timeout | undefined;
  /**
   * Requests that are made in one step of the program go out as one message. With a message for each, the first request would have a commit
   * of its own.
   */
  #outbox: Request[] = [];

  constructor(options: StorageThreadOptions) {
    this.#options = options;
  }

  /** Whether a request waits for an answer. */
  get isBusy(): boolean {
    return this.#underWay.size > 0;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * Starts the thread. Resolves once the thread has opened the database. The result tells whether a new database was begun although an
   * earlier process had one.
   * @throws StorageFailed when the thread cannot open the database.
   */
  async open(): Promise<boolean> {
    const worker = this.#begin(this.#options.start);
    const message = await firstMessage(worker);
    if (message.kind === 'ready') return message.begunAnew;
    this.#isClosed = true;
    worker.postMessage({ kind: 'close' } satisfies ToWorker);
    await worker.terminate();
    const fault = message.kind === 'unusable' ? message.fault : { code: '', reason: 'the storage did not open' };
    throw failed(fault);
  }

  /** Sends one request, together with all others of this step of the program. Rejects with StorageFailed only. */
  ask(asked: Asked): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new StorageFailed('CLOSED', 'the storage is closed'));
    const characters = charactersOf(asked);
    if (this.#underWay.size >= mostUnderWay || this.#characters + characters > mostCharactersUnderWay) {
      return Promise.reject(new StorageFailed('OVERLOADED', 'too much waits for the disk already'));
    }
    const worker = this.#worker ?? this.#begin({ ...this.#options.start, checkLog: false });
    this.#lastId += 1;
    const id = this.#lastId;
    const request: Request = { ...asked, id };
    return new Promise((resolve, reject) => {
      this.#underWay.set(id, { resolve, reject, characters, dueAt: performance.now() + answerWithinMs });
      this.#characters += characters;
      worker.ref();
      this.#watch ??= setInterval(() => {
        this.#giveUp();
      }, 500).unref();
      if (this.#outbox.push(request) === 1) process.nextTick(this.#send);
    });
  }

  readonly #send = (): void => {
    const requests = this.#outbox;
    if (requests.length === 0) return;
    this.#outbox = [];
    this.#worker?.postMessage({ kind: 'requests', requests } satisfies ToWorker);
  };

  /** Waits for all requests, and then until the thread has closed the database. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (worker === undefined) return;
    this.#send();
    worker.ref();
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        resolve();
      });
    });
    worker.postMessage({ kind: 'close' } satisfies ToWorker);
    const timer = setTimeout(() => void worker.terminate(), closeWithinMs);
    await ended;
    clearTimeout(timer);
    this.#rejectAll('the storage was closed');
  }

  #begin(start: WorkerStart): Worker {
    const worker = new Worker(this.#options.program ?? storageProgram(), {
      workerData: start,
      execArgv: [],
      // The thread holds a few statements at a time. With the default limit it would keep tens of megabytes.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#worker = worker;
    this.#isReady = false;
    let reason = 'it ended';
    worker.on('message', (message: FromWorker) => {
      this.#hear(message);
    });
    worker.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#lost(reason);
    });
    return worker;
  }

  #hear(message: FromWorker): void {
    if (message.kind === 'ready') {
      this.#isReady = true;
      if (!this.isBusy) this.#rest();
    }
    if (message.kind !== 'answers') return;
    if (message.commit !== undefined) this.#options.onCommit(message.commit);
    for (const answer of message.answers) this.#answer(answer);
    if (!this.isBusy) this.#rest();
  }

  #answer(answer: Answer): void {
    const request = this.#take(answer.id);
    if (answer.kind === 'failed') request?.reject(failed(answer.fault));
    else request?.resolve(answer);
  }

  #take(id: number): UnderWay | undefined {
    const request = this.#underWay.get(id);
    this.#underWay.delete(id);
    this.#characters -= request?.characters ?? 0;
    return request;
  }

  #lost(reason: string): void {
    const wasReady = this.#isReady;
    this.#worker = undefined;
    this.#isReady = false;
    if (this.#isClosed) return;
    this.#rejectAll(`the thread of the storage ended: ${reason}`);
    this.#options.onCrash(reason);
    // A thread that was never ready would end again at once, so the next request starts it.
    if (wasReady) this.#begin({ ...this.#options.start, checkLog: false }).unref();
  }

  #rejectAll(reason: string): void {
    this.#outbox = [];
    for (const id of [...this.#underWay.keys()]) this.#take(id)?.reject(new StorageFailed('', reason));
    this.#rest();
  }

  /**
   * Gives up requests that have waited too long. The requests are in the order in which they were made, so the first one that is not due
   * ends the loop.
   */
  #giveUp(): void {
    const now = performance.now();
    for (const [id, { dueAt }] of this.#underWay) {
      if (dueAt > now) break;
      this.#take(id)?.reject(new StorageFailed('TIMEOUT', 'the disk did not answer in time'));
    }
    if (!this.isBusy) this.#rest();
  }

  /** Lets the process end while the thread is idle. */
  #rest(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#worker?.unref();
  }
}

/**
 * The first message of the thread's program. Other messages are ignored: with `node --watch`, every thread reports the files that it has
 * read.
 * @throws StorageFailed when the thread ends before.
 */
export function firstMessage(worker: Worker): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: object) => {
      if ('kind' in message) resolve(message as FromWorker); // the program of the thread sends nothing else with a kind
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      reject(new StorageFailed('', 'the thread of the storage ended before it was ready'));
    });
  });
}

/** The rows of each statement. A refusal has none. */
export function resultsOf(result: Result): readonly StatementResult[] {
  return result.kind === 'done' ? result.results : [];
}

function failed({ code, reason }: Fault): StorageFailed {
  return new StorageFailed(code, reason);
}

function charactersOf(asked: Asked): number {
  if (asked.kind === 'probe') return 0;
  const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 8);
  return asked.statements.reduce(
    (sum, { parameters }) => sum + parameters.reduce<number>((all, value) => all + lengthOf(value), 0),
    0,
  );
}

/** Where the program of the thread is. The build puts it into the folder of this file; the sources have it in `worker`. */
export function storageProgram(): URL {
  const isBuilt = !import.meta.url.endsWith('.ts');
  return new URL(isBuilt ? './storage-worker.js' : './worker/storage-worker.ts', import.meta.url);
}
