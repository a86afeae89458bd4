/** Holds output back until `flush`, which passes all of it on. */
export interface Flushable {
  flush(): void;
}

/** With more outputs in one go, the first would wait too long for the last. */
const maxWaiting = 32;

/**
 * Flushes all that gathered while the event loop read what had arrived. Replies that trickle in side by side are then read
 * one after the other and written one after the other, which costs less than going back and forth for each token (speed is
 * measured by `npm run bench`).
 */
export class FlushRound {
  readonly #afterReads: (run: () => void) => void;
  readonly #atOnce: (run: () => void) => void;
  /** In their order, from `#next` on. Kept from round to round: an array of its own for each would cost more. */
  readonly #waiting: (Flushable | undefined)[] = [];
  #count = 0;
  #next = 0;
  readonly #run = (): void => {
    try {
      this.#flushAll();
    } finally {
      // When one flush has thrown, the others must not wait for ever.
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

/** Flushes with all others, in the order in which they were added: text of a turn, then the connections it went to. */
export function flushAfterReads(flushable: Flushable): void {
  round.add(flushable);
}
