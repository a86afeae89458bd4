import type { Speech, Urgency } from './speech.ts';

const thinkingDelayMs = 1500;
const actionPauseMs = 3000;
const removalDelayMs = 1000;

/**
 * Speaks to screen readers through two regions of its own, never through the transcript. It speaks at the boundaries of a turn and not at
 * each token. It removes what was spoken, so that nobody meets it a second time while reading.
 */
export class Announcer implements Speech {
  readonly polite = region('polite');
  readonly assertive = region('assertive');
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #thinking: ReturnType<typeof setTimeout> | null = null;
  #lastAction = Number.NEGATIVE_INFINITY;

  say(text: string, urgency: Urgency = 'polite'): void {
    if (text === '') return;
    const line = document.createElement('div');
    line.textContent = text;
    this[urgency].append(line);
    this.later(removalDelayMs, () => line.remove());
  }

  think(text: string): void {
    this.doneThinking();
    this.#thinking = this.later(thinkingDelayMs, () => this.say(text));
  }

  doneThinking(): void {
    if (this.#thinking !== null) clearTimeout(this.#thinking);
    this.#thinking = null;
  }

  sayAction(text: string): void {
    const now = Date.now();
    if (now - this.#lastAction < actionPauseMs) return;
    this.#lastAction = now;
    this.say(text);
  }

  sayLater(delay: number, text: () => string): void {
    this.later(delay, () => this.say(text()));
  }

  destroy(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Runs after `delay` milliseconds, unless the panel has gone. */
  later(delay: number, run: () => void): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, delay);
    this.#timers.add(timer);
    return timer;
  }
}

function region(urgency: Urgency): HTMLElement {
  const element = document.createElement('div');
  element.className = 'visually-hidden';
  element.setAttribute('aria-live', urgency);
  element.setAttribute('aria-relevant', 'additions');
  element.setAttribute('role', urgency === 'polite' ? 'status' : 'alert');
  // Both roles would read the whole region again at each addition.
  element.setAttribute('aria-atomic', 'false');
  return element;
}
