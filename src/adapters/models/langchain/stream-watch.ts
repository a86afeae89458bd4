import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import type { ReadFlow } from '../../../core/ports/chat-model.ts';

/** Milliseconds for which a stream that never waits may hold up all other work. */
const longestRun = 10;

/**
 * Reads a stream of foreign code that may ignore its signal. An abort, a silence and the end of the time for the whole call end every wait
 * at once. A stream that never waits does not hold up the process.
 */
export class StreamWatch {
  /** The signal for the stream. Aborts with the caller's signal, after a silence, and when the time for the whole call is over. */
  readonly signal: AbortSignal;
  /** Why the model ran out of time, in words that follow "the model". Undefined: it did not run out of time. */
  outOfTime: string | undefined;
  readonly #outer: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #overdue: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #reject: (reason: unknown) => void = () => undefined;
  readonly #onAbort = (): void => {
    this.#end(this.#outer.reason);
  };

  constructor(outer: AbortSignal, times: { readonly timeoutMs: number; readonly totalTimeoutMs: number }) {
    const { timeoutMs, totalTimeoutMs } = times;
    this.#outer = outer;
    this.#timeoutMs = timeoutMs;
    this.#overdue = setTimeout(() => {
      this.#giveUp(`took longer than ${String(totalTimeoutMs)} ms`);
    }, totalTimeoutMs);
    this.signal = this.#controller.signal;
    outer.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Waits for one step of the stream. @throws what the step throws, the signal's reason, or an error after silence. */
  next<Value>(step: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.signal.throwIfAborted();
      this.#reject = reject;
      this.#watchSilence();
      step().then(resolve, reject);
    });
  }

  /** Reads the stream to its end. Pauses while the flow is paused. */
  async read(stream: AsyncIterable<unknown>, flow: ReadFlow, take: (value: unknown) => void): Promise<void> {
    const iterator = stream[Symbol.asyncIterator]();
    let runSince = performance.now();
    try {
      for (;;) {
        if (flow.paused) await this.#resumed(flow);
        const step = await this.next(() => iterator.next());
        if (step.done === true) return;
        take(step.value);
        if (performance.now() - runSince < longestRun) continue;
        await nextTurnOfTheLoop();
        runSince = performance.now();
      }
    } catch (error) {
      leave(iterator);
      throw error;
    }
  }

  /** Ends the stream if it still runs. */
  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#overdue);
    this.#outer.removeEventListener('abort', this.#onAbort);
    this.#controller.abort();
  }

  #watchSilence(): void {
    if (this.#timeoutMs <= 0) return;
    if (this.#timer !== undefined) {
      this.#timer.refresh();
      return;
    }
    this.#timer = setTimeout(() => {
      this.#giveUp(`was silent for ${String(this.#timeoutMs)} ms`);
    }, this.#timeoutMs);
  }

  /** Waits until the reader goes on. Meanwhile the model is not silent, so the watch for silence stops. */
  #resumed(flow: ReadFlow): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      flow.onResume(resolve);
    });
  }

  #giveUp(because: string): void {
    this.outOfTime = because;
    this.#end(new Error(`the model ${because}`));
  }

  #end(reason: unknown): void {
    this.#reject(reason);
    this.#controller.abort(reason);
  }
}

/** Lets the stream clean up. Nobody waits for that, and its faults are ignored. */
function leave(iterator: AsyncIterator<unknown>): void {
  const ignore = (): void => undefined;
  try {
    iterator.return?.().then(ignore, ignore);
  } catch {
    // As above.
  }
}
