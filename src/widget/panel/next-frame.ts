/** Does something with the next frame, once however often it is asked to: text can arrive faster than it can be looked at. */
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
