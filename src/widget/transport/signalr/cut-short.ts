/** A wait that can be cut short. One at a time. */
export class CutShort {
  #end: () => void = () => undefined;

  /** Resolves after the time, or as soon as `end` is called or the signal aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', this.#end);
    });
  }

  end(): void {
    this.#end();
  }
}
