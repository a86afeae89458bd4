import { vi } from 'vitest';

/** Shorter waits run in real time: those of sockets, HTTP and the test itself. */
const heldFromMs = 9 * 60_000;

interface HeldTimer {
  readonly dueAt: number;
  readonly ring: () => void;
}

/**
 * Lets the server's long times (grace, expiry, shutdown) pass when the schedule says so. Timers of nine minutes and more wait for
 * `advance`, and `Date.now` advances with them.
 */
export class HeldClock {
  readonly #timers = new Map<unknown, HeldTimer>();
  readonly #realNow = Date.now.bind(Date);
  readonly #restore: () => void;
  #aheadMs = 0;

  constructor() {
    const realSet = globalThis.setTimeout;
    const realClear = globalThis.clearTimeout;
    const setHeld = (ring: () => void, delayMs?: number, ...rest: []): NodeJS.Timeout => {
      const timer = realSet(ring, delayMs, ...rest);
      if (delayMs !== undefined && delayMs >= heldFromMs)
        this.#timers.set(timer, { ring, dueAt: Date.now() + delayMs });
      return timer;
    };
    const set = vi.spyOn(globalThis, 'setTimeout').mockImplementation(setHeld);
    const clear = vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      this.#timers.delete(timer);
      realClear(timer);
    });
    const now = vi.spyOn(Date, 'now').mockImplementation(() => this.#realNow() + this.#aheadMs);
    this.#restore = () => {
      for (const spy of [set, clear, now]) spy.mockRestore();
    };
  }

  /** Moves the time and runs the timers that are due by then, in their order. */
  advance(ms: number): void {
    this.#aheadMs += ms;
    const due = [...this.#timers].filter(([, { dueAt }]) => dueAt <= Date.now());
    for (const [timer] of due.sort(([, left], [, right]) => left.dueAt - right.dueAt)) this.#ring(timer);
  }

  /** Catches the timers that `begin` sets before its first wait, so that they can be run separately. */
  catching<Result>(begin: () => Result): { readonly result: Result; readonly ring: () => void } {
    const before = new Set(this.#timers.keys());
    const result = begin();
    const caught = [...this.#timers.keys()].filter((timer) => !before.has(timer));
    const ring = (): void => {
      for (const timer of caught) this.#ring(timer);
    };
    return { result, ring };
  }

  restore(): void {
    this.#restore();
    for (const timer of this.#timers.keys()) clearTimeout(timer as NodeJS.Timeout);
  }

  /** Runs a timer, unless another one has cleared it meanwhile. */
  #ring(timer: unknown): void {
    const held = this.#timers.get(timer);
    if (held === undefined) return;
    clearTimeout(timer as NodeJS.Timeout);
    held.ring();
  }
}
