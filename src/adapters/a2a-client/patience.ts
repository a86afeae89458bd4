/** How long an exchange may take, and how long nothing may be heard in it. Durations are milliseconds. */
export interface PatienceLimits {
  readonly totalMs: number;
  readonly silenceMs: number;
}

/** Ends an exchange that takes too long, or in which nothing is heard for too long. MUST be ended, which frees its timers. */
export class Patience {
  /** Aborted by the Stop of the user, when the patience is over, and at the end. */
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  readonly #silenceMs: number;
  readonly #total: NodeJS.Timeout;
  #silence: NodeJS.Timeout;
  #isOver = false;

  constructor(stop: AbortSignal, { totalMs, silenceMs }: PatienceLimits) {
    this.signal = AbortSignal.any([stop, this.#own.signal]);
    this.#silenceMs = silenceMs;
    this.#total = this.#giveUpAfter(totalMs);
    this.#silence = this.#giveUpAfter(silenceMs);
  }

  /** Whether the time was up before the end. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something was heard: the silence begins anew. */
  heard(): void {
    clearTimeout(this.#silence);
    if (!this.#own.signal.aborted) this.#silence = this.#giveUpAfter(this.#silenceMs);
  }

  /** Frees the timers, and closes what is still open of the exchange. */
  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
    this.#own.abort();
  }

  /** Waits for the work, but not longer than the signal allows. @throws the reason of the signal. */
  async wait<Value>(work: Promise<Value>): Promise<Value> {
    return orAborted(work, this.signal);
  }

  #giveUpAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#isOver = true;
      this.end();
    }, ms);
  }
}

/** Waits for the work until the signal aborts. Work that goes on after that is not waited for. @throws the reason of the signal. */
export async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let leave = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = () => {
      // The reason of an abort is an error in this server.
      reject(signal.reason as Error);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
