/** Holds output back until `flush`, which passes all of it on. */
export interface Flushable {
  flush(): void;
}

/** When so many outputs wait, they are flushed early. Otherwise the first output would wait too long for the last. */
const maxWaiting = 32;

/**
 * Flushes all outputs that were added while the event loop read the data that had arrived. All parallel replies are then read first and
 * written afterwards. This costs less than a change between reading and writing for each token (speed is measured by `npm run bench`).
 */
export class FlushRound {
  readonly #afterReads: (run: () => void) => void;
  readonly #atOnce: (run: () => void) => void;
  /**
   * The waiting outputs in their order, from `#next` on. All rounds share one array, because a new array for each round would cost more.
   */
  readonly #waiting: (Flushable | undefined)[] = [];
  #count = 0;
  #next = 0;
  readonly #run = (): void => {
    try {
      this.#flushAll();
    } finally {
      // When one flush throws, the outputs behind it must still be flushed.
      if (this.#next < this.#count) this.#afterReads(this.#run);
      else this.#count = this.#next = 0;
    }
  };

  /** `afterReads` runs a function once all is read, `atOnce` when the running JavaScript has ended. */
  constructor(afterReads: (run: () => void) => void, atOnce: (run: () => void) => void) {
    this.#afterReads = afterReads;
    this.#atOnce = atOnce;
  }

  /** Outputs that are added during a round belong to that round. */
  add(flushable: Flushable): void {
    if (this.#count === 0) this.#afterReads(this.#run);
    this.#waiting[this.#count] = flushable;
    this.#count += 1;
    if (this.#count === maxWaiting) this.#atOnce(this.#run);
  }

  #flushAll(): void {
    while (this.#next < this.#count) {
      const flushable = this.#waiting[this.#next];
      this.#waiting[this.#next] = undefined;
      this.#next += 1;
      flushable?.flush();
    }
  }
}

const round = new FlushRound(setImmediate, (run) => {
  process.nextTick(run);
});

/**
 * Flushes an output together with all others, in the order in which they were added. The text of a turn comes before the connections that
 * it goes to.
 */
export function flushAfterReads(flushable: Flushable): void {
  round.add(flushable);
}
