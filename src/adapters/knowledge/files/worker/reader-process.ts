import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FromReader, Job, JobResult, ReadJob, ReadResult, TextJob, TextResult } from '../reader/messages.ts';
import { readLimits } from '../reader/read-limits.ts';

/** A file to read. The reader process adds the number of the job. */
export type ReadOrder = Omit<ReadJob, 'id'>;

/** The process has a low priority: on a busy machine even its start takes long, and one that is begun anew never comes to its end. */
const startWithinMs = 120_000;
/** The reader ends itself when a file takes too long. When it does not, the server ends it after as many milliseconds more. */
const patienceMs = 5_000;
/** The limit of the JavaScript heap is lower than that of the whole process, so that the engine itself ends a process with a full heap. */
const heapMiB = 280;
/** WebAssembly never gives memory back. A reader that takes this much memory after a file is replaced. */
const residentAfterwards = 250 * 1024 * 1024;
const longestComplaint = 500;

interface Waiting {
  readonly job: Job;
  readonly resolve: (result: JobResult) => void;
  readonly reject: (error: Error) => void;
}

/** How a process reads. */
export interface ReaderOptions {
  /** Left out, the reader of this server. */
  readonly program?: URL;
  /** What one file may cost. Left out, what a document may. */
  readonly limits?: Record<'cpuMilliseconds' | 'milliseconds', number>;
  /** Somebody waits for each file, so reading is as urgent as answering. */
  readonly isUrgent?: boolean;
}

/**
 * The process that reads files. It begins with the first file. A process that ends while it reads a file is replaced. Files are read one
 * after the other, in the order of the calls. The process has no environment variables, and may neither write files nor start programs.
 */
export class ReaderProcess {
  readonly #program: URL;
  readonly #limits: Record<'cpuMilliseconds' | 'milliseconds', number>;
  readonly #isUrgent: boolean;
  #waiting: Waiting[] = [];
  #process: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;
  /** Whether the process has read no file yet. */
  #isFresh = true;
  #lastId = 0;

  constructor({ program = readerProgram(), limits = readLimits, isUrgent = false }: ReaderOptions = {}) {
    this.#program = program;
    const { cpuMilliseconds, milliseconds } = limits;
    this.#limits = { cpuMilliseconds, milliseconds };
    this.#isUrgent = isUrgent;
  }

  /** Reads one file. Rejects when the process cannot be started, or when `end` is called before the file is read. */
  read(order: ReadOrder): Promise<ReadResult> {
    return this.#order(order) as Promise<ReadResult>; // the reader answers a file of a folder so
  }

  /** Reads the text of a file that stands in no folder. Rejects as `read` does. */
  readText(order: Omit<TextJob, 'id'>): Promise<TextResult> {
    return this.#order(order) as Promise<TextResult>; // the reader answers such a file so
  }

  #order(order: ReadOrder | Omit<TextJob, 'id'>): Promise<JobResult> {
    this.#lastId += 1;
    const job = { ...order, id: this.#lastId };
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      if (this.#process === undefined) this.#begin();
      else if (this.#isReady) this.#send(job);
      if (this.#isReady && this.#waiting.length === 1) this.#watch(this.#answerWithinMs);
    });
  }

  get #answerWithinMs(): number {
    return this.#limits.milliseconds + patienceMs;
  }

  /** Ends the process, and resolves once it is gone. Files that wait are rejected. The next file begins another process. */
  async end(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    clearTimeout(this.#timer);
    this.#rejectAll('the reader of files was ended');
    if (process !== undefined) await gone(process);
  }

  #begin(): void {
    const child = fork(fileURLToPath(this.#program), [JSON.stringify(this.#limits)], {
      execArgv: [
        `--max-old-space-size=${String(heapMiB)}`,
        '--max-semi-space-size=4',
        '--permission',
        '--allow-fs-read=*',
        '--allow-worker',
      ],
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let complaint = '';
    this.#process = child;
    this.#isReady = false;
    this.#isFresh = true;
    this.#watch(startWithinMs);
    if (!this.#isUrgent) giveWay(child);
    child.stderr?.on('error', () => undefined);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = `${complaint}${text}`.slice(0, longestComplaint);
    });
    child.on('message', (message) => {
      if (this.#process === child) this.#hear(message as FromReader); // file-reader.ts sends nothing but these messages
    });
    child.on('error', (error) => {
      complaint = error.message;
      if (child.pid === undefined) this.#ended(child, { signal: null, complaint });
    });
    child.on('exit', (_code, signal) => {
      this.#ended(child, { signal, complaint });
    });
  }

  #hear(message: FromReader): void {
    if (message.kind === 'ready') {
      this.#isReady = true;
      for (const { job } of this.#waiting) this.#send(job);
    } else {
      const first = this.#waiting[0];
      if (first?.job.id !== message.id) return;
      this.#waiting.shift();
      this.#isFresh = false;
      if (message.residentBytes > residentAfterwards) this.#replace();
      first.resolve(message.result);
    }
    clearTimeout(this.#timer);
    if (this.#waiting.length > 0) this.#watch(this.#isReady ? this.#answerWithinMs : startWithinMs);
  }

  #replace(): void {
    const process = this.#process;
    this.#process = undefined;
    this.#isReady = false;
    if (process === undefined) return;
    void gone(process).then(() => {
      if (this.#waiting.length > 0 && this.#process === undefined) this.#begin();
    });
  }

  #ended(child: ChildProcess, end: { readonly signal: NodeJS.Signals | null; readonly complaint: string }): void {
    if (this.#process !== child) return;
    clearTimeout(this.#timer);
    this.#process = undefined;
    if (!this.#isReady) {
      const words = end.complaint.split('\n').find((line) => line.includes('Error')) ?? end.complaint;
      this.#rejectAll(`the reader of files did not start: ${words.trim() || 'it ended'}`);
      return;
    }
    this.#isReady = false;
    const first = this.#isBlamed(end.signal) ? this.#waiting.shift() : undefined;
    if (this.#waiting.length > 0) this.#begin();
    first?.resolve(costOf(first.job, this.#reasonOf(end.signal)));
  }

  /**
   * Earlier files may have filled the memory of the process. So a process of its own reads the file again, before the file is blamed. The time
   * of a file is its own: a user does not wait for it twice.
   */
  #isBlamed(signal: NodeJS.Signals | null): boolean {
    const [first] = this.#waiting;
    return this.#isFresh || (signal === 'SIGTERM' && first !== undefined && 'data' in first.job);
  }

  /** `reader-watch.ts` and the engine end the process by signals. */
  #reasonOf(signal: NodeJS.Signals | null): string {
    if (signal === 'SIGTERM') {
      const [work, all] = [this.#limits.cpuMilliseconds / 1_000, this.#limits.milliseconds / 1_000];
      return `took longer to read than ${String(work)} s of work, or ${String(all)} s in all`;
    }
    if (signal === 'SIGKILL' || signal === 'SIGABRT') {
      return `took more than ${String(readLimits.residentBytes / 1024 / 1024)} MiB of memory to read`;
    }
    return `ended the process that read it (${signal ?? 'without a signal'})`;
  }

  #send(job: Job): void {
    this.#process?.send(job);
  }

  #watch(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#process?.kill('SIGTERM');
      // The process may be stopped. A stopped process reacts to no other signal.
      this.#timer = setTimeout(() => this.#process?.kill('SIGKILL'), 1_000);
    }, milliseconds);
  }

  #rejectAll(reason: string): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(new Error(reason));
  }
}

/** Ends a process and waits until it is gone, because two processes at a time would take twice the memory. */
async function gone(process: ChildProcess): Promise<void> {
  if (process.pid === undefined || process.exitCode !== null || process.signalCode !== null) return;
  const ended = new Promise((resolve) => process.once('exit', resolve));
  process.kill('SIGKILL');
  await ended;
}

/** The answer for a file that has ended the process. */
function costOf(job: Job, reason: string): JobResult {
  return 'data' in job ? { kind: 'unreadable', why: 'costly' } : { kind: 'left-out', reason, hash: '', isCost: true };
}

/** Gives the process a lower priority, because answers are more urgent than the reading of files. */
function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The reader works without a lower priority, too.
  }
}

/** Where the program of the process is. The build puts it into the folder of this file; the sources have it in `reader`. */
function readerProgram(): URL {
  const isBuilt = !import.meta.url.endsWith('.ts');
  return new URL(isBuilt ? './knowledge-reader.js' : '../reader/file-reader.ts', import.meta.url);
}
