/** A wait that can be cut short. One at a time. */
export class CutShort {
  /** Ends the wait now. */
  end: () => void = () => undefined;

  /** Resolves after the time, or as soon as `end` is called. */
  async wait(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, milliseconds);
      this.end = resolve;
    });
  }
}
