/** Called when it is due; returns false when it is done and must not be called again. */
export type Step = () => boolean;

/**
 * Calls each step once every `periodMs`. Steps are spread evenly over the period, as the streams of independent users
 * are, and one timer serves them all: a timer per stream would make the fake model the bottleneck.
 */
export class Pacer {
  readonly #slots: readonly Set<Step>[];
  readonly #timer: NodeJS.Timeout;
  #position = 0;
  #nextSlot = 0;
  #due = performance.now();

  constructor(periodMs: number) {
    this.#slots = Array.from({ length: periodMs }, () => new Set<Step>());
    this.#timer = setInterval(() => {
      this.#catchUp();
    }, 1);
  }

  /** Begins within one period from now. */
  add(step: Step): void {
    // A stride that shares no factor with usual periods spreads a crowd that arrives at once.
    this.#nextSlot = (this.#nextSlot + 7) % this.#slots.length;
    this.#slots[this.#nextSlot]?.add(step);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Runs every slot that has become due. A late timer never runs one slot twice, so streams fall behind instead. */
  #catchUp(): void {
    const now = performance.now();
    const late = Math.floor(now - this.#due);
    this.#due += late;
    for (let count = Math.min(late, this.#slots.length); count > 0; count--) this.#runSlot();
  }

  #runSlot(): void {
    this.#position = (this.#position + 1) % this.#slots.length;
    const slot = this.#slots[this.#position];
    if (slot === undefined) return;
    for (const step of slot) if (!step()) slot.delete(step);
  }
}
