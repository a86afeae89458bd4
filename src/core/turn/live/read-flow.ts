import type { ReadFlow } from '../../ports/chat-model.ts';

/** Holds back the model's socket while the reader of a turn cannot keep up (contract/events.md#slow-readers). */
export class PausableFlow implements ReadFlow {
  #paused = false;
  #resume: (() => void) | undefined;

  get paused(): boolean {
    return this.#paused;
  }

  onResume(callback: () => void): void {
    this.#resume = callback;
  }

  setPaused(paused: boolean): void {
    if (paused === this.#paused) return;
    this.#paused = paused;
    if (!paused) this.#resume?.();
  }
}
