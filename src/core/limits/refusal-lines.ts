import { RateWindow } from './rate-window.ts';

/** The most lines of one kind in each minute: about one caller, and about all callers. */
const mostOfCaller = 20;
const mostOfKind = 300;
const windowMs = 60_000;
/** The most callers that are remembered. */
const capacity = 10_000;

/** Decides which refusals become a line of the log, so that no caller can fill it (contract/operations.md#logs). */
export class RefusalLines {
  readonly #ofCaller: RateWindow;
  readonly #ofKind: RateWindow;
  readonly #leftOut = new Map<string, number>();

  /** `now`: milliseconds of a clock that never jumps. */
  constructor(now: () => number) {
    this.#ofCaller = new RateWindow({ max: mostOfCaller, windowMs, capacity, now });
    this.#ofKind = new RateWindow({ max: mostOfKind, windowMs, now });
  }

  /** Undefined when this refusal gets no line. Otherwise what the line says of those of its kind that got none since the last line. */
  take({ what, who }: { readonly what: string; readonly who: string }): { readonly leftOut?: number } | undefined {
    const leftOut = this.#leftOut.get(what) ?? 0;
    if (this.#ofCaller.take(`${what} ${who}`) > 0 || this.#ofKind.take(what) > 0) {
      this.#leftOut.set(what, leftOut + 1);
      return undefined;
    }
    this.#leftOut.delete(what);
    return leftOut > 0 ? { leftOut } : {};
  }
}
