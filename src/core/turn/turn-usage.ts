import type { TokenUsage } from './turn-event.ts';

/** Adds up what the model calls of one turn used, and how long the turn took. */
export class TurnUsage {
  readonly startedAt: number;
  readonly #now: () => number;
  #inputTokens = 0;
  #outputTokens = 0;
  #model: string;

  constructor(model: string, now: () => number) {
    this.#model = model;
    this.#now = now;
    this.startedAt = now();
  }

  add(usage: { readonly inputTokens: number; readonly outputTokens: number }, model: string): void {
    this.#inputTokens += usage.inputTokens;
    this.#outputTokens += usage.outputTokens;
    this.#model = model;
  }

  total(): TokenUsage {
    return { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens, model: this.#model };
  }

  elapsedMs(): number {
    return Math.round(this.#now() - this.startedAt);
  }
}
