import { existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** How the longest time to match a pattern grows with the text. */
export type Growth =
  | { readonly kind: 'linear' }
  | { readonly kind: 'polynomial'; readonly degree: number }
  | { readonly kind: 'exponential' }
  | { readonly kind: 'unknown' };

export interface PatternQuestion {
  readonly id: number;
  /** A regular expression with the flag `u`. */
  readonly pattern: string;
}

export interface PatternAnswer {
  readonly id: number;
  readonly growth: Growth;
}

/** Milliseconds after which an idle checker is ended. A loaded checker costs 100 ms and 40 MiB. */
const idleMs = 500;
/** Milliseconds after which a checker that does not keep its own limit, which is one of CPU time, is given up. */
const longestAnswerMs = 120_000;
const maxHeapMiB = 512;
/** The most patterns whose growth is remembered. Manifests with the same patterns are read again and again. */
const maxKnown = 1_000;

const known = new Map<string, Promise<Growth>>();
let asking: AskedWorker | undefined;

/** How the time to match a pattern grows. Each pattern is checked once, in a worker thread, so that only the caller waits. */
export function growthOfPattern(pattern: string): Promise<Growth> {
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const asked = ask(pattern);
  known.set(pattern, asked);
  const [oldest] = known.keys();
  if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
  return asked;
}

function ask(pattern: string): Promise<Growth> {
  if (asking === undefined || asking.isOver) asking = new AskedWorker();
  return asking.ask(pattern);
}

interface Waiting {
  readonly pattern: string;
  readonly answer: (growth: Growth) => void;
}

/** A worker, and the questions that it has not answered, in order. */
class AskedWorker {
  isOver = false;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#worker = new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB }, execArgv: [] });
    this.#worker.on('message', (answer: PatternAnswer) => {
      this.#take(answer);
    });
    this.#worker.on('error', () => {
      this.#end();
    });
    this.#worker.on('exit', () => {
      this.#end();
    });
  }

  ask(pattern: string): Promise<Growth> {
    this.#lastId += 1;
    const question: PatternQuestion = { id: this.#lastId, pattern };
    return new Promise((resolve) => {
      this.#waiting.set(question.id, { pattern, answer: resolve });
      this.#worker.ref();
      this.#worker.postMessage(question);
      if (this.#waiting.size === 1) this.#endAfter(longestAnswerMs);
    });
  }

  #take({ id, growth }: PatternAnswer): void {
    const asked = this.#waiting.get(id);
    this.#waiting.delete(id);
    const isIdle = this.#waiting.size === 0;
    this.#endAfter(isIdle ? idleMs : longestAnswerMs);
    // An idle checker must not keep the process alive.
    if (isIdle) this.#worker.unref();
    asked?.answer(growth);
  }

  #endAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#end();
    }, milliseconds);
    if (this.#waiting.size === 0) this.#timer.unref();
  }

  /** Ends the worker. Patterns without an answer stay undecided, until somebody asks again. */
  #end(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.#timer);
    for (const { pattern, answer } of this.#waiting.values()) {
      known.delete(pattern);
      answer({ kind: 'unknown' });
    }
    void this.#worker.terminate();
  }
}

/** The file of the worker. It is beside this file, else in `dist`, where the build puts it. */
function workerFile(): URL {
  const beside = new URL('./pattern-worker.ts', import.meta.url);
  if (existsSync(beside)) return beside;
  const packageFile = findPackageJSON(import.meta.url);
  if (packageFile === undefined) throw new Error('the package.json of the server is missing beside its code');
  return new URL('dist/pattern-worker.js', pathToFileURL(packageFile));
}
