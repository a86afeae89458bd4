/** Calls `onIdle` when `touch` was not called for the given milliseconds. A touch only reads the clock, so it may come with every message. */
export class IdleTimer {
  readonly #milliseconds: number;
  readonly #onIdle: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #touchedAt = 0;

  constructor(milliseconds: number, onIdle: () => void) {
    this.#milliseconds = milliseconds;
    this.#onIdle = onIdle;
  }

  start(): void {
    this.touch();
    this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  touch(): void {
    this.#touchedAt = performance.now();
  }

  /** Calls `onIdle` if it is due. Browsers may delay the timers of hidden pages by up to a minute. */
  check(): void {
    if (this.#rest() > 0) return;
    this.touch();
    this.#onIdle();
  }

  #rest(): number {
    return this.#touchedAt + this.#milliseconds - performance.now();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.#wait();
        this.check();
      },
      Math.max(this.#rest(), 1),
    );
  }
}
