import { Worker } from 'node:worker_threads';
import type { Answer, Call, CallAnswer, FromWorker, OpenSource, Question, ToWorker, VectorRules } from './messages.ts';
import { QuestionQueue } from './question-queue.ts';

/** What the thread calls at a source. */
export interface ThreadListener {
  hear(message: FromWorker & { readonly kind: 'state' | 'log' }): void;
  /** The thread calls. Never rejects. */
  answer(call: Call): Promise<CallAnswer>;
  /** The thread has ended by itself. Another one is started. */
  crashed(reason: string): void;
}

const closeWithinMs = 5_000;
const restartAfterMs = { first: 1_000, most: 60_000 } as const;
/** A thread that has run for this many milliseconds did not end because of a fault at its start. */
const soundAfterMs = 60_000;

interface Opened {
  order: OpenSource;
  readonly listener: ThreadListener;
  closed?: () => void;
  /** Resolves once the source is closed. Undefined: nobody has closed the source. */
  closing?: Promise<void>;
}

/**
 * The worker thread that all folders of documents share. The thread begins with the first source and ends with the last one. A thread that
 * ends by itself is started again with all sources; the questions that it had are rejected.
 */
export class IndexThread {
  readonly #program: URL;
  readonly #sources = new Map<number, Opened>();
  readonly #queue = new QuestionQueue({ give: (ask) => this.#send(ask), changed: () => this.#keepAlive() });
  #worker: Worker | undefined;
  #restart: NodeJS.Timeout | undefined;
  #restartMs: number = restartAfterMs.first;
  #begunAt = 0;

  constructor(program: URL = indexProgram()) {
    this.#program = program;
  }

  open(order: OpenSource, listener: ThreadListener): void {
    this.#sources.set(order.source, { order, listener });
    if (this.#worker !== undefined) this.#send(order);
    else if (this.#restart === undefined) this.#begin();
  }

  /** From now on the documents of a source get their vectors by another model, or get none. */
  embedBy(source: number, vectors: VectorRules | undefined): void {
    const opened = this.#sources.get(source);
    if (opened === undefined) return;
    const { vectors: _, ...order } = opened.order;
    const given = vectors === undefined ? {} : { vectors };
    // A thread that is started again gets these rules, too.
    opened.order = { ...order, ...given };
    this.#send({ kind: 'vectors', source, ...given });
  }

  /** Rejects when too many questions wait, when the thread ends or when the signal aborts. */
  ask(source: number, question: Question, signal?: AbortSignal): Promise<Answer> {
    if (this.#worker === undefined)
      return Promise.reject(new Error('the thread of the document indexes is not running'));
    return this.#queue.add({ source, question }, signal);
  }

  /** Resolves once the source's index is closed; with the last source the thread ends. */
  async close(source: number): Promise<void> {
    const opened = this.#sources.get(source);
    if (opened === undefined) return;
    opened.closing ??= this.#close(source, opened);
    this.#keepAlive();
    await opened.closing;
  }

  async #close(source: number, opened: Opened): Promise<void> {
    const worker = this.#worker;
    if (worker !== undefined) await this.#closed(source, opened);
    this.#sources.delete(source);
    if (this.#sources.size > 0) {
      this.#keepAlive();
      return;
    }
    clearTimeout(this.#restart);
    this.#restart = undefined;
    this.#worker = undefined;
    this.#queue.rejectAll('the source was closed');
    await worker?.terminate();
  }

  /** Waits until the thread has closed the source, but not longer than `closeWithinMs`. The timer keeps the process alive meanwhile. */
  async #closed(source: number, opened: Opened): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const closed = new Promise<void>((resolve) => {
      opened.closed = resolve;
      timer = setTimeout(resolve, closeWithinMs);
    });
    this.#send({ kind: 'close', source });
    await closed;
    clearTimeout(timer);
  }

  /**
   * Keeps the process alive while somebody waits for an answer or for the end of a source. A thread that only looks through folders does
   * not keep it alive.
   */
  #keepAlive(): void {
    const isClosing = [...this.#sources.values()].some(({ closing }) => closing !== undefined);
    if (isClosing || !this.#queue.isEmpty) this.#worker?.ref();
    else this.#worker?.unref();
  }

  #begin(): void {
    const worker = new Worker(this.#program, {
      execArgv: [],
      // The thread holds one document at a time, and the list of the files.
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 192 },
    });
    let reason = 'it ended';
    this.#worker = worker;
    this.#begunAt = performance.now();
    worker.unref();
    worker.on('message', (message: FromWorker) => {
      this.#hear(message);
    });
    worker.on('error', (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#lost(reason);
    });
    for (const { order } of this.#sources.values()) this.#send(order);
  }

  #hear(message: FromWorker): void {
    switch (message.kind) {
      case 'answer':
        this.#queue.answered(message.id, message.answer);
        break;
      case 'failed':
        this.#queue.answered(message.id, new Error(message.reason));
        break;
      case 'closed':
        this.#sources.get(message.source)?.closed?.();
        break;
      case 'call':
        void this.#answer(message);
        break;
      case 'state':
      case 'log':
        this.#sources.get(message.source)?.listener.hear(message);
        break;
    }
  }

  /** When the thread has ended meanwhile, the answer is dropped: the new thread asks again. */
  async #answer({ source, id, call }: FromWorker & { readonly kind: 'call' }): Promise<void> {
    const worker = this.#worker;
    const opened = this.#sources.get(source);
    if (opened === undefined) return;
    const answer = await opened.listener.answer(call);
    if (worker !== this.#worker) return;
    // The vectors are moved instead of copied, because nobody else uses them.
    worker?.postMessage({ kind: 'called', source, id, answer } satisfies ToWorker, buffersOf(answer));
  }

  #lost(reason: string): void {
    this.#worker = undefined;
    this.#queue.rejectAll(`the thread of the document indexes ended: ${reason}`);
    for (const { listener, closed } of this.#sources.values()) {
      listener.crashed(reason);
      closed?.();
    }
    if (performance.now() - this.#begunAt > soundAfterMs) this.#restartMs = restartAfterMs.first;
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.#begin();
    }, this.#restartMs).unref();
    this.#restartMs = Math.min(2 * this.#restartMs, restartAfterMs.most);
  }

  #send(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }
}

function buffersOf(answer: CallAnswer): ArrayBuffer[] {
  if (typeof answer !== 'object' || !('vectors' in answer)) return [];
  const vectors = answer.vectors.flatMap((one) => ('vector' in one ? [one.vector.buffer] : []));
  return vectors.filter((buffer) => buffer instanceof ArrayBuffer);
}

/** Where the program of the thread is. The build puts it into the folder of this file; the sources have it in `worker`. */
function indexProgram(): URL {
  const isBuilt = !import.meta.url.endsWith('.ts');
  return new URL(isBuilt ? './knowledge-index.js' : './worker/index-worker.ts', import.meta.url);
}
