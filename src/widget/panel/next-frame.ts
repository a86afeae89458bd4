/**
 * Runs a function with the next frame. Several requests before that frame count as one, because text can arrive faster than it can be
 * read.
 */
export class NextFrame {
  readonly #run: () => void;
  #frame: number | null = null;

  constructor(run: () => void) {
    this.#run = run;
  }

  request(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.#run();
    });
  }

  cancel(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }
}
