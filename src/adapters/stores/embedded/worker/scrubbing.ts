import type { scrubFiles } from './scrub-files.ts';

/** Milliseconds between an erasure and its scrubbing. Erasures of this time are scrubbed together. */
const laterMs = 1_000;
/** Milliseconds between two steps, so that commits can run between them. */
const stepMs = 20;
/** Milliseconds until the next step after a fault of the disk. */
const againMs = 10_000;
/** The most milliseconds for which scrubbing delays the end of the process. */
const atCloseMs = 2_000;

/**
 * Decides when erased data is removed from the files: soon after an erasure, and after a start when the last process had no time for it.
 */
export class Scrubbing {
  readonly #scrub: () => ReturnType<typeof scrubFiles>;
  #timer: NodeJS.Timeout | undefined;

  /** `scrub` takes one step. */
  constructor(scrub: () => ReturnType<typeof scrubFiles>) {
    this.#scrub = scrub;
  }

  /** To be called after something was erased, or when something may not have been scrubbed. */
  due(): void {
    this.#timer ??= setTimeout(() => this.#step(), laterMs);
  }

  /** Scrubs at once what is due. The next process scrubs what is left after that, or what fails. */
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
      // The next change meets the same fault and reports it.
      return 'failed';
    }
  }
}
