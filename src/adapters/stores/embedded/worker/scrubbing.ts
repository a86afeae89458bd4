import type { scrubFiles } from './scrub-files.ts';

/** Erasures of this time are scrubbed together. */
const laterMs = 1_000;
/** Between two steps, so that commits come in between. */
const stepMs = 20;
/** After a fault of the disk. */
const againMs = 10_000;
/** How long the end of the process may wait. */
const atCloseMs = 2_000;

/** When the files are freed of what was erased: soon after an erasure, and once more when the last process had no time for it. */
export class Scrubbing {
  readonly #scrub: () => ReturnType<typeof scrubFiles>;
  #timer: NodeJS.Timeout | undefined;

  /** `scrub` takes one step. */
  constructor(scrub: () => ReturnType<typeof scrubFiles>) {
    this.#scrub = scrub;
  }

  /** Something was erased, or may not have been scrubbed. */
  due(): void {
    this.#timer ??= setTimeout(() => this.#step(), laterMs);
  }

  /** Does at once what is due. Whatever is left then, or fails, the next process does. */
  close(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    const endsAt = performance.now() + atCloseMs;
    try {
      for (let left = true; left && performance.now() < endsAt;) left = this.#scrub() === 'more';
    } catch {
      // The next process finds the log, and scrubs.
    }
  }

  #step(): void {
    this.#timer = undefined;
    const outcome = this.#outcome();
    if (outcome === 'done') return;
    const inMs = { more: stepMs, held: laterMs, failed: againMs }[outcome];
    this.#timer = setTimeout(() => this.#step(), inMs);
  }

  #outcome(): ReturnType<typeof scrubFiles> | 'failed' {
    try {
      return this.#scrub();
    } catch {
      // The next change meets the same fault and tells it.
      return 'failed';
    }
  }
}
