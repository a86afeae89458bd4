/** Milliseconds in which a turn that is free is left to the replica of its reader. */
const readersFirstMs = 700;

/**
 * Takes up what other replicas let go of (contract/replicas.md#turns). Each turn is left to the replica of its reader first. Then any replica
 * takes up what nobody reads.
 */
export class ReadersFirst {
  readonly #takeUp: (leaveOut: (turnId: string) => boolean) => Promise<void>;
  /** By the clock of `performance`. */
  readonly #toldAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** `takeUp`: takes up all free turns but those that are left out. MUST NOT reject. */
  constructor(takeUp: (leaveOut: (turnId: string) => boolean) => Promise<void>) {
    this.#takeUp = takeUp;
  }

  /** Another replica has let go of these turns, or of some that it has not named. */
  released(turnIds: readonly string[]): void {
    for (const turnId of turnIds) this.#toldAt.set(turnId, performance.now());
    this.#lookLater();
  }

  #lookLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const before = performance.now() - readersFirstMs;
      for (const [turnId, at] of this.#toldAt) if (at <= before) this.#toldAt.delete(turnId);
      void this.#takeUp((turnId) => this.#toldAt.has(turnId));
      if (this.#toldAt.size > 0) this.#lookLater();
    }, readersFirstMs).unref();
  }
}
